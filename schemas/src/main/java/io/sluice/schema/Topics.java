package io.sluice.schema;

import java.io.Serializable;
import java.util.regex.Pattern;

/**
 * Names of every topic, under one prefix, so that Kafka ACLs can isolate a team. Teams may share
 * datasets: those are under another prefix then, that of whoever prepares them.
 *
 * @param prefix first part of every name that is not a dataset's, such as {@code sluice.}
 * @param datasetsPrefix first part of the name of what documents are, or are made into: corpora,
 *     datasets, refineries and sets of documents
 */
public record Topics(String prefix, String datasetsPrefix) implements Serializable {
  /** Between two prefixes; no name of a topic has it. */
  private static final char BETWEEN = ':';

  /** What a dataset, domain or run may be called. */
  public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

  /** The partition of a run's feedback in which claims to ranks are by themselves. */
  public static final int CLAIMS = 1;

  /** Partitions of a run's feedback; one where a release made it that knew no {@link #CLAIMS}. */
  public static final int FEEDBACK_PARTITIONS = 2;

  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._-]{0,64}");

  /** Checks the prefixes. */
  public Topics {
    requirePrefix(prefix);
    requirePrefix(datasetsPrefix);
  }

  private static void requirePrefix(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "prefix must be at most 64 letters, digits, '.', '_' or '-', or two such with a ':'"
              + " between: '"
              + prefix
              + "'");
    }
  }

  /** All under one prefix. */
  public Topics(String prefix) {
    this(prefix, prefix);
  }

  /**
   * Names as people ask for them.
   *
   * @param prefixes one, or that of the runs, ':', and that of the datasets
   * @throws IllegalArgumentException if one cannot begin a topic's name
   */
  public static Topics of(String prefixes) {
    int between = prefixes.indexOf(BETWEEN);
    return between < 0
        ? new Topics(prefixes)
        : new Topics(prefixes.substring(0, between), prefixes.substring(between + 1));
  }

  /** As {@link #of} takes them. */
  public String prefixes() {
    return ownsDatasets() ? prefix : prefix + BETWEEN + datasetsPrefix;
  }

  /** Whether its datasets are nobody else's. */
  public boolean ownsDatasets() {
    return prefix.equals(datasetsPrefix);
  }

  /** Whether a topic's name begins as its own do. */
  public boolean mayBeOf(String topic) {
    return topic.startsWith(prefix) || topic.startsWith(datasetsPrefix);
  }

  /** The default prefix {@code sluice.}. */
  public static Topics standard() {
    return new Topics("sluice.");
  }

  /**
   * The name itself.
   *
   * @param what 'domain', 'dataset' or 'run', for the message
   * @throws IllegalArgumentException if it cannot be part of a topic's name
   */
  public static String requireName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          what
              + " must be 1 to 63 letters, digits, '_' or '-', starting with a letter or digit: '"
              + name
              + "'");
    }
    return name;
  }

  /**
   * The name of the run that an id is of: what stands before its first dot; '' if it is no run's.
   *
   * @param runId the run's name, which has no dot, a dot and a suffix
   */
  public static String runOf(String runId) {
    return runId.substring(0, Math.max(0, runId.indexOf('.')));
  }

  /** Documents and end markers of a domain. */
  public String corpus(String domain) {
    return datasetsPrefix + "corpus." + domain;
  }

  /** Training blocks of a domain; a partition per lane. */
  public String blocks(String dataset, String domain) {
    return datasetsPrefix + "blocks." + dataset + "." + domain;
  }

  /** Held-out blocks of a domain. */
  public String eval(String dataset, String domain) {
    return datasetsPrefix + "eval." + dataset + "." + domain;
  }

  /** Supply of a dataset's domains. */
  public String supply(String dataset) {
    return datasetsPrefix + "supply." + dataset;
  }

  /** When the shuffle buffers of a dataset's domains let their documents go by time. */
  public String releases(String dataset) {
    return datasetsPrefix + "releases." + dataset;
  }

  /** Which documents the blocks of a dataset are of, where these carry hashes of ids. */
  public String lineage(String dataset) {
    return datasetsPrefix + "lineage." + dataset;
  }

  /** Which blocks of a dataset are in its store, and where; compacted. */
  public String segments(String dataset) {
    return datasetsPrefix + "segments." + dataset;
  }

  /** Dataset specifications, keyed by name. */
  public String datasets() {
    return datasetsPrefix + "datasets";
  }

  /** Files of datasets' tokenizers, in parts; compacted. */
  public String tokenizers() {
    return datasetsPrefix + "tokenizers";
  }

  /** Sets of documents that are forgotten, or masked in some run. */
  public String sets() {
    return datasetsPrefix + "sets";
  }

  /** How far documents are deleted from the topics that hold them; compacted. */
  public String purges() {
    return datasetsPrefix + "purges";
  }

  /** What a purge leaves of a dataset's topic, until it takes that one's place. */
  public String purging(String topic) {
    return datasetsPrefix + "purging." + topic.substring(datasetsPrefix.length());
  }

  /** How far files are in the corpora; compacted. */
  public String ingested() {
    return datasetsPrefix + "ingested";
  }

  /** What documents of which domains are refined to; compacted, keyed by name. */
  public String refineries() {
    return datasetsPrefix + "refineries";
  }

  /** What a refinery has decided. */
  public String refined(String refinery) {
    return datasetsPrefix + "refined." + refinery;
  }

  /** What an endpoint has answered a refinery. */
  public String answers(String refinery) {
    return datasetsPrefix + "answers." + refinery;
  }

  /** Run commands. */
  public String runs() {
    return prefix + "runs";
  }

  /** The control log that runs shared before each had its own. */
  public String control() {
    return prefix + "control";
  }

  /** The control log of one run, by its id. */
  public String control(String runId) {
    return control() + "." + runId;
  }

  /**
   * The id of the run that a control log is of.
   *
   * @param log named by {@link #control(String)}
   */
  public String runIdOf(String log) {
    return log.substring(control("").length());
  }

  /** The weighted token stream of a run. */
  public String stream(String run) {
    return prefix + "stream." + run;
  }

  /**
   * Feedback and progress of a run's trainers, in partition 0; in partition {@link #CLAIMS} the
   * claims to their ranks by themselves.
   */
  public String feedback(String run) {
    return prefix + "feedback." + run;
  }

  /** Which runs have all of their streams; compacted, keyed by runId. */
  public String streams() {
    return prefix + "streams";
  }

  /** Where each run stands and what it waits for; compacted, keyed by runId. */
  public String status() {
    return prefix + "status";
  }

  /** Refused records, with reasons. */
  public String deadLetters() {
    return prefix + "deadletter";
  }
}
