package io.sluice.cli.run;

import io.sluice.cli.error.BadInputException;
import io.sluice.cli.error.UnreachableException;
import io.sluice.cli.history.SupplyHistory;
import io.sluice.cli.targets.RunLosses;
import io.sluice.cli.targets.TargetSources;
import io.sluice.jobs.topics.DatasetCatalog;
import io.sluice.jobs.topics.TopicAdmin;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.avro.Schema;

/** Applies a run: resolves it, makes its topics, asks for it, and waits until it has started. */
final class RunApplication {
  private static final long PAUSE_NANOS = 100_000_000;

  private final KafkaAccess access;
  private final RunCommands commands;

  RunApplication(KafkaAccess access, RunCommands commands) {
    this.access = access;
    this.commands = commands;
  }

  /** The dataset of a name. */
  DatasetSpec dataset(String name) {
    DatasetCatalog catalog = new DatasetCatalog(access);
    return catalog
        .find(name)
        .orElseThrow(
            () ->
                new BadInputException(
                    "dataset must be one of "
                        + catalog.all().stream().map(DatasetSpec::getName).toList()
                        + ": '"
                        + name
                        + "'"));
  }

  /**
   * The specification that the request comes to now.
   *
   * @param say how targets were found, for people
   */
  RunSpec resolve(RunRequest request, Consumer<String> say) {
    DatasetSpec dataset = dataset(request.dataset());
    Map<String, Long> tokens = new HashMap<>();
    if (request.initialWeights().needsTokens()) {
      for (Map.Entry<String, Supply> supply :
          SupplyHistory.newest(access, request.dataset()).entrySet()) {
        tokens.put(supply.getKey(), supply.getValue().getTrainedTokens());
      }
    }
    OptionalLong sequences = request.sequences();
    TargetSources sources =
        new TargetSources(
            run -> RunLosses.ofEnded(access, run),
            sequences.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) sequences.getAsLong() * dataset.getSequenceLength()),
            say);
    return request
        .withPolicySettings(sources.resolve(request.policySettings(), dataset.getDomains()))
        .resolve(dataset, tokens);
  }

  /**
   * Applies the request.
   *
   * @return what was done, for a person
   * @throws BadInputException if a run of the name has other settings, or MixJob refuses this one
   * @throws UnreachableException if no MixJob starts it in time
   */
  String apply(RunRequest request, Duration timeout, Consumer<String> say) {
    RunSpec spec = resolve(request, say);
    Optional<RunCatalog.Entry> existing =
        RunCatalog.read(access).find(spec.getRun()).filter(entry -> entry.history().isPresent());
    if (existing.isPresent()) {
      return unchanged(existing.get(), spec, request);
    }
    String streamTopicId;
    try (TopicAdmin admin = new TopicAdmin(access)) {
      streamTopicId = admin.ensureRun(spec);
    }
    String runId = commands.apply(spec, streamTopicId);
    awaitStart(runId, timeout);
    return "run " + spec.getRun() + " has started as " + runId;
  }

  private static String unchanged(RunCatalog.Entry entry, RunSpec wanted, RunRequest request) {
    RunSpec before = entry.history().orElseThrow().spec();
    List<String> changes = new ArrayList<>();
    for (Schema.Field field : wanted.getSchema().getFields()) {
      // The tokens that are ready now are no change of what was asked for.
      boolean moves =
          field.name().equals("initialWeights") && request.initialWeights().needsTokens();
      if (!moves && !wanted.get(field.pos()).equals(before.get(field.pos()))) {
        changes.add(
            field.name() + ": " + before.get(field.pos()) + " -> " + wanted.get(field.pos()));
      }
    }
    if (!changes.isEmpty()) {
      throw new BadInputException(
          "run '"
              + wanted.getRun()
              + "' exists with other settings; delete it or choose another name: "
              + String.join("; ", changes));
    }
    return "run " + wanted.getRun() + " is unchanged, " + entry.phase();
  }

  private void awaitStart(String runId, Duration timeout) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<RunCatalog.Entry> entry = RunCatalog.read(access).byId(runId);
      if (entry.isPresent() && entry.get().phase().equals("failed")) {
        throw new BadInputException("the run was refused: " + entry.get().waiting());
      }
      if (entry.isPresent() && entry.get().history().isPresent()) {
        return;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw new UnreachableException(
        "run "
            + runId
            + " was asked for, but no MixJob has started it within "
            + timeout.toSeconds()
            + " s: is one running on "
            + access.bootstrapServers()
            + "?");
  }
}
