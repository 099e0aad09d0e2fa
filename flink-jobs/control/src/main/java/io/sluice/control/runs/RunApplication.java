package io.sluice.control.runs;

import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CommandException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.RunFold;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.StatusFollower;
import io.sluice.control.masks.DocumentSets;
import io.sluice.control.masks.RunMasks;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.targets.TargetSources;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.run.Delivery;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Applies a run: resolves it, makes its topics, asks for it, and waits until it has started. */
public record RunApplication(KafkaAccess access, RunCommands commands) {
  /**
   * What applying a run did.
   *
   * @param started now; false if it was there, as the file says
   * @param phase that it is in
   * @param fromBatch first batch of a fork; null of another run
   */
  public record Applied(
      String run, String runId, boolean started, String phase, @Nullable Long fromBatch) {
    /** For a person. */
    public String line() {
      return started
          ? "run "
              + run
              + " has started as "
              + runId
              + (fromBatch == null ? "" : " from batch " + fromBatch)
          : "run " + run + " is unchanged, " + phase;
    }
  }

  /** The dataset of a name. */
  public DatasetSpec dataset(String name) {
    return new DatasetCatalog(access).require(name);
  }

  /** The run that a file asks for. */
  public RunFile read(Path file) {
    return RunFile.read(file, name -> dataset(name).getSequenceLength());
  }

  /** The same of what a file would say that nobody wrote. */
  public RunFile read(ConfigSection written) {
    return RunFile.parse(written, name -> dataset(name).getSequenceLength());
  }

  /**
   * The specification that the file comes to.
   *
   * @param patience how long preparing may stand still where the first weights depend on how many
   *     tokens the domains have; 0 to wait for nothing
   * @param say how targets and weights were found, for people
   */
  public RunSpec resolve(RunFile file, Duration patience, Consumer<String> say) {
    DatasetSpec dataset = dataset(file.dataset());
    InitialWeights asked = file.initialWeights();
    List<String> domains = dataset.getDomains();
    Weights first =
        asked.needsTokens()
            ? new TokenShares(asked).await(access, dataset.getName(), domains, patience, say)
            : asked.resolve(domains, Map.of());
    return resolve(file, dataset, first, say);
  }

  /**
   * The same for a run that exists: how many tokens there are now is no change of what was asked
   * for.
   */
  public RunSpec resolveAgain(RunSpec before, RunFile file, Consumer<String> say) {
    RunSpec.Builder spec =
        RunSpec.newBuilder(
            file.initialWeights().needsTokens()
                ? withoutTokens(file, dataset(file.dataset()), say)
                : resolve(file, Duration.ZERO, say));
    if (file.initialWeights().needsTokens()) {
      spec.setInitialWeights(before.getInitialWeights());
    }
    return spec.setMasks(before.getMasks()).build();
  }

  /** What the file comes to, but for first weights that depend on tokens. */
  private RunSpec withoutTokens(RunFile file, DatasetSpec data, Consumer<String> say) {
    return resolve(file, data, outlined(file, data), say);
  }

  /** What a run would go over to by a file. */
  public RunSpec revision(RunSpec now, Path file, Consumer<String> say) {
    return RunRevision.of(now, asOf(now, read(file), say));
  }

  /**
   * What a fork with the settings of a file is.
   *
   * @param base what it would be without
   */
  public RunSpec fork(RunSpec base, RunFile file, Consumer<String> say) {
    RunSpec asked = asOf(base, file, say);
    return RunRevision.of(
        RunSpec.newBuilder(base)
            .setStreamPartitions(asked.getStreamPartitions())
            .setDelivery(asked.getDelivery())
            .build(),
        asked);
  }

  /** What a file comes to for the domains of a run, whatever the dataset has come to have. */
  private RunSpec asOf(RunSpec run, RunFile file, Consumer<String> say) {
    DatasetSpec data =
        DatasetSpec.newBuilder(dataset(file.dataset())).setDomains(run.getDomains()).build();
    return withoutTokens(file, data, say);
  }

  private RunSpec resolve(RunFile file, DatasetSpec dataset, Weights first, Consumer<String> say) {
    return resolve(file, dataset, first, run -> RunLosses.ofEnded(access, run), say);
  }

  /**
   * The specification that a file comes to, but for first weights by tokens, in whose place uniform
   * ones are.
   *
   * @param losses of a run that has ended, by its name, for targets that are taken from it
   * @param say how targets were found, for people
   */
  public static RunSpec outline(
      RunFile file,
      DatasetSpec dataset,
      Function<String, LossHistory> losses,
      Consumer<String> say) {
    return resolve(file, dataset, outlined(file, dataset), losses, say);
  }

  private static Weights outlined(RunFile file, DatasetSpec dataset) {
    InitialWeights asked = file.initialWeights();
    InitialWeights first = asked.needsTokens() ? new InitialWeights.Uniform() : asked;
    return first.resolve(dataset.getDomains(), Map.of());
  }

  private static RunSpec resolve(
      RunFile file,
      DatasetSpec dataset,
      Weights first,
      Function<String, LossHistory> losses,
      Consumer<String> say) {
    OptionalLong sequences = file.sequences();
    TargetSources sources =
        new TargetSources(
            losses,
            sequences.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) sequences.getAsLong() * dataset.getSequenceLength()),
            say);
    Map<String, String> settings = sources.resolve(file.policySettings(), dataset.getDomains());
    RunSpec spec = file.resolve(dataset, settings, first);
    RowStages rows = RowStages.of(spec);
    if (!rows.stages().isEmpty()) {
      say.accept(rows.toString());
    }
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
   * @param timeout how long MixJob may take to start it, and how long preparing may stand still
   *     where the first weights wait for it
   * @return what was done
   * @throws BadInputException if a run of the name has other settings, or MixJob refuses this one
   * @throws UnreachableException if no MixJob starts it in time, or preparing stands still
   */
  public Applied apply(RunFile file, Duration timeout, Consumer<String> say) {
    Optional<RunCatalog.Entry> existing =
        RunCatalog.read(access).find(file.run()).filter(entry -> entry.start().isPresent());
    if (existing.isPresent()) {
      return unchanged(existing.get().folded(RunLogs.of(access)), file, say);
    }
    return start(resolve(file, timeout, say), null, timeout);
  }

  /**
   * Starts a run, in which all that is forgotten is masked.
   *
   * @param origin where a fork begins
   * @return what was done
   * @throws BadInputException if its dataset lacks what it is to read
   * @throws UnreachableException if no MixJob starts it in time; none will then
   */
  public Applied start(RunSpec asked, @Nullable RunOrigin origin, Duration timeout) {
    if (Delivery.isDerived(asked)) {
      NewRun.requireDeliverable(asked, dataset(asked.getDataset()));
    }
    long first = origin == null ? 1 : origin.getSnapshot().getBatch() + 1;
    RunMasks masks = new RunMasks(new DocumentSets(access));
    RunSpec spec = masks.masked(asked, first);
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
    // Who forgot something while the run began may not have known of it.
    if (!masks.lacking(spec, first, "").isEmpty()) {
      new MaskedRun(access, timeout).maskForgotten(runId, "forgotten while the run began");
    }
    return new Applied(
        spec.getRun(), runId, true, RunPhase.RUNNING.wireName(), origin == null ? null : first);
  }

  private Applied unchanged(RunCatalog.Entry entry, RunFile file, Consumer<String> say) {
    RunSpec before =
        entry
            .fold()
            .map(RunFold::spec)
            .orElseThrow(
                () ->
                    new BadInputException(
                        "run '" + file.run() + "' exists and has failed: " + entry.waiting()));
    List<String> changes = RunRevision.changes(before, resolveAgain(before, file, say));
    if (!changes.isEmpty()) {
      throw new BadInputException(
          "run '"
              + file.run()
              + "' exists with other settings; change it with 'sluice run policy -f', or priority and"
              + " limits with 'sluice run limit', delete it, or choose another name: "
              + String.join("; ", changes));
    }
    return new Applied(file.run(), entry.runId(), false, entry.phase(), null);
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
