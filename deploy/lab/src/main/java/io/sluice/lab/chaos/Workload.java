package io.sluice.lab.chaos;

import io.sluice.cli.dataset.ApplyDataset;
import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.run.ManageRunsCommand;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.lab.chaos.history.Digest;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.Outcome;
import io.sluice.lab.chaos.trainer.Reweighting;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.DomainShare;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.SetWeights;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import picocli.CommandLine;

/** A small dataset, generated, and runs over it, made with the commands that people use. */
final class Workload {
  private static final String DATASET = "chaos";
  private static final List<String> DOMAINS = List.of("web", "code", "books");
  private static final int[] DOCUMENTS = {3000, 1000, 300};
  private static final int TOKENS = 64;
  private static final double SMALLEST = 0.25;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final KafkaAccess kafka;
  private final Path directory;
  private final History history;
  private final GlobalOptions global;

  /**
   * @param directory of the generated documents and the runs' files
   * @param history of what is ingested and commanded
   */
  Workload(KafkaAccess kafka, Path directory, History history) {
    this.kafka = kafka;
    this.history = history;
    this.directory = directory;
    this.global = new GlobalOptions(Map.of("SLUICE_KAFKA", kafka.bootstrapServers()), directory);
  }

  KafkaAccess kafka() {
    return kafka;
  }

  /** Publishes the dataset and ingests all of its documents. */
  void prepare() {
    ApplyDataset.apply(
        kafka,
        DatasetSpecs.resolve(
            new DatasetSettings(
                DATASET,
                DOMAINS,
                1,
                new TokenSettings("bytes"),
                new PackingSettings(TOKENS, PackingSettings.CONCAT, 0, 1, PackingSettings.HASHES),
                new ShuffleSettings(100, Duration.ZERO, 7),
                new HeldOutSettings(0))));
    for (int i = 0; i < DOMAINS.size(); i++) {
      String domain = DOMAINS.get(i);
      IngestSettings lines =
          new IngestSettings(domain, Format.LINES, IngestSettings.DEFAULT_DOCUMENT);
      List<String> documents = documents(domain, DOCUMENTS[i]);
      ingested(Outcome.INVOKE, domain, documents);
      new CorpusIngest(kafka, lines, false, true, bytes -> {})
          .paths(List.of(write(domain + ".txt", String.join("\n", documents))));
      ingested(Outcome.OK, domain, documents);
    }
  }

  private static List<String> documents(String domain, int count) {
    Random random = new Random(domain.hashCode());
    return random
        .longs(count)
        .mapToObj(number -> domain + " " + Long.toHexString(number).repeat(6))
        .toList();
  }

  private void ingested(Outcome outcome, String domain, List<String> documents) {
    for (String text : documents) {
      history.add(
          outcome, "ingest", line -> line.put("domain", domain).put("text", Digest.of(text)));
    }
  }

  /** Starts a run with the policy and returns it. */
  RunInfo start(String run, Reweighting policy) {
    Path file =
        write(
            run + ".yaml",
            String.join(
                "\n",
                "run: " + run,
                "dataset: " + DATASET,
                "batch: 8 sequences",
                "initial-weights: uniform",
                "policy: " + policy.yaml(),
                "apply: {lead: " + policy.lead() + "}",
                "when-ended: {default: {repeat: 100000}}",
                "seed: 7",
                ""));
    command("apply", "--timeout", "120", "--file", file.toString());
    RunInfo started = RunDirectory.find(kafka, run, PATIENCE);
    commanded(Outcome.OK, started, "");
    return started;
  }

  /** Asks for other weights of a run, as a person does; nobody need be there to answer. */
  void reweigh(RunInfo run, Random random) {
    RunAdmin admin = RunAdmin.of(kafka, (int) PATIENCE.toSeconds());
    DomainShare share = new DomainShare(DOMAINS.get(0), SMALLEST + random.nextDouble() / 2);
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

  private Path write(String name, String text) {
    try {
      Files.createDirectories(directory);
      return Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + name + " in " + directory, e);
    }
  }
}
