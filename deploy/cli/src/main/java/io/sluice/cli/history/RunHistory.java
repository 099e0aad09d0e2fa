package io.sluice.cli.history;

import io.sluice.cli.error.BadInputException;
import io.sluice.jobs.control.ControlWire;
import io.sluice.mixture.control.ControlEntry;
import io.sluice.mixture.control.ControlEntry.Grant;
import io.sluice.mixture.control.ControlEntry.RoundDecision;
import io.sluice.mixture.control.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The accepted entries of a run's control log and the state they fold to. Folding them replays the
 * plan: a log whose counts do not follow from its weights cannot be read.
 */
public final class RunHistory {
  private final String runId;
  private final RunSpec spec;
  private final List<ControlEntry> entries = new ArrayList<>();
  private final RunState state;

  private RunHistory(String runId, RunSpec spec, ControlEntry start, long offset) {
    this.runId = runId;
    this.spec = spec;
    this.state = RunState.started(start, offset);
    entries.add(start);
  }

  /**
   * The history of the run that was last started under a name.
   *
   * @throws BadInputException if there is none; the message names those there are
   */
  public static RunHistory read(KafkaAccess access, String run) {
    Map<String, RunHistory> byRunId = readAll(access);
    return byRunId.values().stream()
        .filter(history -> history.spec.getRun().equals(run))
        .reduce((older, newer) -> newer)
        .orElseThrow(
            () -> {
              TreeSet<String> known = new TreeSet<>();
              byRunId.values().forEach(history -> known.add(history.spec.getRun()));
              return new BadInputException("run must be one of " + known + ": '" + run + "'");
            });
  }

  /** The histories of all runs, by run id, in the order in which they were started. */
  public static Map<String, RunHistory> readAll(KafkaAccess access) {
    Map<String, RunHistory> byRunId = new LinkedHashMap<>();
    new TopicScan(access)
        .read(List.of(access.topics().control()), message -> accept(byRunId, message));
    return byRunId;
  }

  private static void accept(
      Map<String, RunHistory> byRunId, ConsumerRecord<byte[], byte[]> message) {
    ControlRecord record;
    ControlEntry entry;
    try {
      record = WireCodec.decode(ControlRecord.class, message.value());
      entry = ControlWire.read(record);
    } catch (WireFormatException | IllegalArgumentException e) {
      // Every reader ignores what is no entry; the job that reads it counts it.
      return;
    }
    RunHistory history = byRunId.get(entry.runId());
    if (history != null) {
      history.apply(entry, message.offset());
    } else if (record.getBody() instanceof RunStarted started
        && entry.serial() == 0
        && entry.basedOn() == -1) {
      byRunId.put(
          entry.runId(), new RunHistory(entry.runId(), started.getSpec(), entry, message.offset()));
    }
  }

  private void apply(ControlEntry entry, long offset) {
    if (state.apply(entry, offset)) {
      entries.add(entry);
    }
  }

  /** Name and suffix. */
  public String runId() {
    return runId;
  }

  /** The specification that the first entry pinned. */
  public RunSpec spec() {
    return spec;
  }

  /** The accepted entries, oldest first. */
  public List<ControlEntry> entries() {
    return List.copyOf(entries);
  }

  /** What they fold to. */
  public RunState state() {
    return state;
  }

  /** The accepted grants, in order. */
  public List<Grant> grants() {
    return entries.stream()
        .map(ControlEntry::body)
        .filter(Grant.class::isInstance)
        .map(Grant.class::cast)
        .toList();
  }

  /** The closed rounds, in order, each with the grant that closed it. */
  public List<Grant> rounds() {
    return grants().stream().filter(grant -> grant.decision().isPresent()).toList();
  }

  /**
   * The first batch of each weights version, and the weights decided for it.
   *
   * @param firstBatch from 1
   */
  public record Version(int version, long firstBatch, Weights weights) {}

  /** Every version that governs a granted batch, oldest first. */
  public List<Version> versions() {
    Map<Integer, Version> versions = new TreeMap<>();
    Weights decided = state.settings().initialWeights();
    for (Grant grant : grants()) {
      decided = grant.decision().map(RoundDecision::weights).orElse(decided);
      versions.putIfAbsent(
          grant.weightsVersion(), new Version(grant.weightsVersion(), grant.after() + 1, decided));
    }
    return List.copyOf(versions.values());
  }
}
