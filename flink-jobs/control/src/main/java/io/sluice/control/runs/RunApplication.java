package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.history.TopicScan;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.targets.TargetSources;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Applies a run: resolves it, makes its topics, asks for it, and waits until it has started. */
public record RunApplication(KafkaAccess access, RunCommands commands) {
  /** The dataset of a name. */
  public DatasetSpec dataset(String name) {
    return new DatasetCatalog(access).require(name);
  }

  /** The run that a file asks for. */
  public RunFile read(Path file) {
    return RunFile.read(file, name -> dataset(name).getSequenceLength());
  }

  /**
   * The specification that the file comes to now.
   *
   * @param say how targets were found, for people
   */
  public RunSpec resolve(RunFile file, Consumer<String> say) {
    return resolve(file, dataset(file.dataset()), say);
  }

  /** What a run would go over to by a file. */
  public RunSpec revision(RunSpec now, Path file, Consumer<String> say) {
    return RunRevision.of(now, asOf(now, file, say));
  }

  /**
   * What a fork with the settings of a file is.
   *
   * @param base what it would be without
   */
  public RunSpec fork(RunSpec base, Path file, Consumer<String> say) {
    RunSpec asked = asOf(base, file, say);
    return RunRevision.of(
        RunSpec.newBuilder(base).setStreamPartitions(asked.getStreamPartitions()).build(), asked);
  }

  /** What a file comes to for the domains of a run, whatever the dataset has come to have. */
  private RunSpec asOf(RunSpec run, Path file, Consumer<String> say) {
    RunFile read = read(file);
    DatasetSpec data =
        DatasetSpec.newBuilder(dataset(read.dataset())).setDomains(run.getDomains()).build();
    return resolve(read, data, say);
  }

  private RunSpec resolve(RunFile file, DatasetSpec dataset, Consumer<String> say) {
    Map<String, Long> tokens = new HashMap<>();
    if (file.needsTokens()) {
      for (Map.Entry<String, Supply> supply :
          new TopicScan(access).supplies(file.dataset()).entrySet()) {
        tokens.put(supply.getKey(), supply.getValue().getTrainedTokens());
      }
    }
    OptionalLong sequences = file.sequences();
    TargetSources sources =
        new TargetSources(
            run -> RunLosses.ofEnded(access, run),
            sequences.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) sequences.getAsLong() * dataset.getSequenceLength()),
            say);
    Map<String, String> settings = sources.resolve(file.policySettings(), dataset.getDomains());
    RunSpec spec = file.resolve(dataset, settings, tokens);
    predictedCost(spec).ifPresent(cost -> say.accept(cost.toString()));
    return spec;
  }

  /**
   * What measuring is predicted to cost; empty without rounds, or if the trainer decides how much
   * is evaluated.
   */
  public static Optional<MeasurementCost> predictedCost(RunSpec spec) {
    List<RequiredMetric> required = spec.getMetrics();
    return required == null || required.isEmpty() || spec.getEvalTokens() == 0
        ? Optional.empty()
        : Optional.of(MeasurementCost.of(spec, required));
  }

  /**
   * Applies the file.
   *
   * @return what was done, for a person
   * @throws BadInputException if a run of the name has other settings, or MixJob refuses this one
   * @throws UnreachableException if no MixJob starts it in time
   */
  public String apply(RunFile file, Duration timeout, Consumer<String> say) {
    RunSpec spec = resolve(file, say);
    Optional<RunCatalog.Entry> existing =
        RunCatalog.read(access).find(spec.getRun()).filter(entry -> entry.start().isPresent());
    if (existing.isPresent()) {
      return unchanged(existing.get().folded(RunLogs.of(access)), spec, file);
    }
    return start(spec, null, timeout);
  }

  /**
   * Starts a run.
   *
   * @param origin where a fork begins
   * @return what was done, for a person
   * @throws UnreachableException if no MixJob starts it in time; none will then
   */
  public String start(RunSpec spec, @Nullable RunOrigin origin, Duration timeout) {
    String runId;
    try (TopicAdmin admin = new TopicAdmin(access);
        StatusFollower status = new StatusFollower(access)) {
      runId = commands.apply(admin, spec, origin);
      try {
        awaitStart(runId, status, timeout);
      } catch (CommandException e) {
        admin.deleteLog(runId);
        throw e;
      }
    }
    return "run "
        + spec.getRun()
        + " has started as "
        + runId
        + (origin == null ? "" : " from batch " + (origin.getSnapshot().getBatch() + 1));
  }

  private static String unchanged(RunCatalog.Entry entry, RunSpec wanted, RunFile file) {
    RunSpec before =
        entry
            .fold()
            .map(RunFold::spec)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "run '" + wanted.getRun() + "' exists and has failed: " + entry.waiting()));
    // The tokens that are ready now are no change of what was asked for.
    boolean moves = file.needsTokens();
    RunSpec settled =
        RunSpec.newBuilder(wanted)
            .setInitialWeights(moves ? before.getInitialWeights() : wanted.getInitialWeights())
            .build();
    List<String> changes = RunRevision.changes(before, settled);
    if (!changes.isEmpty()) {
      throw new BadInputException(
          "run '"
              + wanted.getRun()
              + "' exists with other settings; change it with 'sluice run policy -f', delete it, or"
              + " choose another name: "
              + String.join("; ", changes));
    }
    return "run " + wanted.getRun() + " is unchanged, " + entry.phase();
  }

  private void awaitStart(String runId, StatusFollower status, Duration timeout) {
    RunLogs logs = RunLogs.of(access);
    Optional<String> answer =
        RunAdmin.await(
            timeout, () -> refusal(runId, status).or(() -> logs.byId(runId).map(start -> "")));
    if (answer.isEmpty()) {
      String late = "no MixJob has started it within " + timeout.toSeconds() + " s";
      // Or it would start once one is back, beside what is applied until then.
      commands.change(runId, RunPhase.DELETED.wireName(), late);
      throw new UnreachableException(
          "run "
              + runId
              + " was asked for and is withdrawn: "
              + late
              + ". Is one running on "
              + access.bootstrapServers()
              + "? Then apply it again");
    }
    if (!answer.get().isEmpty()) {
      throw new BadInputException(answer.get());
    }
  }

  private static Optional<String> refusal(String runId, StatusFollower status) {
    return status
        .newest(runId)
        .filter(said -> said.getPhase().equals("failed"))
        .map(said -> "the run was refused: " + said.getWaiting());
  }
}
