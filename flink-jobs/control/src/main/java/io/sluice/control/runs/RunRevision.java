package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.wire.RunSpecs;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.Schema;

/** Specifications that a run could go over to, and how they differ from its own. */
public final class RunRevision {
  private RunRevision() {}

  /**
   * The specification that a file comes to for a run that exists: what its stream's identity
   * depends on, its domains and its first weights stay the run's.
   *
   * @param asked what the file comes to for the run's domains
   */
  static RunSpec of(RunSpec now, RunSpec asked) {
    RunSpec spec =
        RunSpec.newBuilder(asked)
            .setRun(now.getRun())
            .setDomains(now.getDomains())
            .setInitialWeights(now.getInitialWeights())
            .setRemoved(now.getRemoved())
            .setMasks(now.getMasks())
            .build();
    return require(now, spec);
  }

  /**
   * The run under another policy.
   *
   * @param every steps between its rounds; 0 for one without rounds
   */
  public static RunSpec policy(
      RunSpec now, String name, Map<String, String> settings, long every, long lag) {
    return require(
        now,
        RunSpec.newBuilder(now)
            .setPolicy(name)
            .setPolicySettings(new TreeMap<>(settings))
            .setUpdateEvery(every)
            .setLag(lag)
            .build());
  }

  /**
   * The run with another place among others.
   *
   * @param tokensPerSecond most that the source emits; 0 for no ceiling
   * @param streamBytes most bytes of tokens that the stream holds; 0 for no ceiling
   */
  public static RunSpec limits(RunSpec now, int priority, long tokensPerSecond, long streamBytes) {
    return require(
        now,
        RunSpec.newBuilder(now)
            .setPriority(priority)
            .setTokensPerSecond(tokensPerSecond)
            .setStreamBytes(streamBytes)
            .build());
  }

  /**
   * The run with other domains.
   *
   * @param added each with its share of the new mixture
   * @param known domains of the dataset as it is now
   */
  public static RunSpec domains(
      RunSpec now, Map<String, Double> added, List<String> removed, List<String> known) {
    List<String> domains = new ArrayList<>(now.getDomains());
    List<Long> first = new ArrayList<>(now.getInitialWeights());
    List<Integer> epochs = new ArrayList<>(now.getEpochs());
    for (String domain : added.keySet()) {
      if (domains.contains(domain)) {
        throw new BadInputException(
            "--add must name domains that the run does not have, of " + known + ": " + domain);
      }
      if (!known.contains(domain)) {
        throw new BadInputException(
            "--add must name domains of the dataset, " + known + ": '" + domain + "'");
      }
      domains.add(domain);
      first.add(0L);
      epochs.add(1);
    }
    List<String> out = new ArrayList<>(now.getRemoved());
    for (String domain : removed) {
      if (!now.getDomains().contains(domain) || out.contains(domain)) {
        throw new BadInputException(
            "--remove must name domains of the run, " + left(now) + ": '" + domain + "'");
      }
      out.add(domain);
    }
    return require(
        now,
        RunSpec.newBuilder(now)
            .setDomains(domains)
            .setInitialWeights(first)
            .setEpochs(epochs)
            .setRemoved(out)
            .build());
  }

  private static List<String> left(RunSpec now) {
    return now.getDomains().stream().filter(d -> !now.getRemoved().contains(d)).toList();
  }

  private static RunSpec require(RunSpec now, RunSpec wanted) {
    try {
      RunSpecs.requireSameStream(now, wanted);
      return RunSpecs.complete(wanted);
    } catch (IllegalArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    }
  }

  /** One line for each field that was asked to differ, old value first. */
  public static List<String> changes(RunSpec before, RunSpec after) {
    RunSpec left = RunSpecs.asAsked(before);
    RunSpec right = RunSpecs.asAsked(after);
    List<String> changes = new ArrayList<>();
    for (Schema.Field field : RunSpec.getClassSchema().getFields()) {
      Object old = left.get(field.pos());
      Object now = right.get(field.pos());
      if (!Objects.equals(old, now)) {
        changes.add(field.name() + ": " + old + " -> " + now);
      }
    }
    return changes;
  }

  /** Refuses what a run that has ended cannot be asked for. */
  public static void requireLive(RunFold run) {
    if (run.state().phase().ended()) {
      throw new BadInputException(
          "run '"
              + run.name()
              + "' has ended, it is "
              + run.state().phase().wireName()
              + ": go on from one of its batches with 'sluice run fork'");
    }
  }
}
