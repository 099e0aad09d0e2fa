package io.sluice.lab.chaos;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.Outcome;
import io.sluice.lab.chaos.trainer.PlannedRun;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.DomainShare;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.SetWeights;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine;

/** A small dataset, generated, and runs over it, made with the commands that people use. */
final class Workload {
  private static final double SMALLEST = 0.25;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final KafkaAccess kafka;
  private final WorkloadData data;
  private final History history;
  private final GlobalOptions global;

  /**
   * @param directory of the generated documents, their store and the runs' files
   * @param history of what is ingested and commanded
   */
  Workload(KafkaAccess kafka, Path directory, History history) {
    this.kafka = kafka;
    this.history = history;
    this.data = new WorkloadData(kafka, directory, history);
    this.global = new GlobalOptions(Map.of("SLUICE_KAFKA", kafka.bootstrapServers()), directory);
  }

  KafkaAccess kafka() {
    return kafka;
  }

  /** The folder that the dataset's blocks are sealed into. */
  Path store() {
    return data.store();
  }

  /** Publishes the dataset and ingests all of its documents. */
  void prepare() {
    data.prepare();
  }

  /** Starts a run and returns it. */
  RunInfo start(PlannedRun run) {
    Path file =
        data.write(
            run.name() + ".yaml",
            String.join(
                "\n",
                "run: " + run.name(),
                "dataset: " + WorkloadData.DATASET,
                "batch: 8 sequences",
                "initial-weights: uniform",
                "policy: " + run.policy().yaml(),
                "apply: {lead: " + run.policy().lead() + "}",
                "when-ended: {default: {repeat: 100000}}",
                "seed: 7",
                "delivery: " + run.delivery(),
                ""));
    command("apply", "--timeout", "120", "--file", file.toString());
    RunInfo started = RunDirectory.find(kafka, run.name(), PATIENCE);
    commanded(Outcome.OK, started, "");
    return started;
  }

  /** Asks for other weights of a run, as a person does; nobody need be there to answer. */
  void reweigh(RunInfo run, Random random) {
    RunAdmin admin = RunAdmin.of(kafka, (int) PATIENCE.toSeconds());
    DomainShare share =
        new DomainShare(WorkloadData.DOMAINS.get(0), SMALLEST + random.nextDouble() / 2);
    commanded(Outcome.INVOKE, run, "");
    try {
      RunAdmin.Answer answer =
          admin.ask(
              admin.require(run.name()),
              new SetWeights(List.of(share), null, "weights set between faults"));
      if (answer.entry().body() instanceof ControlEntry.Revised revised) {
        commanded(Outcome.OK, run, revised.commandId());
      }
    } catch (UnreachableException e) {
      commanded(Outcome.INFO, run, "");
    }
  }

  /** Says that nobody trains on the run any more. */
  void ended(RunInfo run) {
    history.add(Outcome.OK, "end", line -> line.put("run", run.runId()));
  }

  private void commanded(Outcome outcome, RunInfo run, String id) {
    history.add(outcome, "command", line -> line.put("run", run.runId()).put("command", id));
  }

  /** Ends a run and deletes its topics. */
  void delete(String run) {
    command("delete", run);
  }

  private void command(String... arguments) {
    StringWriter said = new StringWriter();
    int code =
        new CommandLine(new ManageRunsCommand())
            .addMixin(CliCommand.GLOBAL, global)
            .setOut(new PrintWriter(said, true))
            .setErr(new PrintWriter(said, true))
            .execute(arguments);
    if (code != 0) {
      throw new UnreachableException("'run " + String.join(" ", arguments) + "': " + said);
    }
  }
}
