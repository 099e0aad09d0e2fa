package io.sluice.cli.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Sluice;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.client.run.RunDirectory;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A job on Flink's own processes moves to another jar and parallelism under a trainer. */
@EnabledIfSystemProperty(named = "sluice.stock", matches = "true")
class UpgradeIT {
  private static final int LEAD = 120;
  private static final int BATCHES = 300;

  /** Batches that are trained for each line that the command prints. */
  private static final int BATCHES_A_LINE = 2;

  private static final String RUN =
      """
      run: moved
      dataset: data
      batch: 16 sequences
      batches: %d
      initial-weights: uniform
      policy: static
      apply: {lead: %d}
      when-ended: {default: {repeat: 1000}}
      """
          .formatted(BATCHES, LEAD);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private EmbeddedBroker broker;
  private KafkaAccess kafka;
  private TestingSluice sluice;
  private ScriptedTrainer trainer;
  private long emitted;
  private int waits;

  @BeforeEach
  void startBroker() {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
    sluice = new TestingSluice(kafka, directory);
  }

  @AfterEach
  void stopBroker() {
    broker.close();
  }

  @Test
  void aTrainerAsksForNoBatchThatIsNotThereWhileItsJobMoves() throws Exception {
    Map<String, String> options =
        Map.of(
            "execution.checkpointing.savepoint-dir",
            directory.resolve("saved").toUri().toString(),
            "execution.checkpointing.interval",
            "500 ms");
    try (StockFlink flink = new StockFlink(directory.resolve("flink"), options)) {
      flink.startJobManager();
      flink.startTaskManager("task-manager");
      prepare(flink);
      refusesWhatWouldNotStart(flink);
      try (ScriptedTrainer open =
          new ScriptedTrainer(kafka, RunDirectory.find(kafka, "moved", Patience.MINUTE))) {
        trainer = open;
        train(20);
        Patience.await(Patience.MINUTE, this::emitted, batches -> batches >= LEAD / 2 + 20);

        Command upgrade =
            new Command(
                "--flink",
                flink.url(),
                "--job",
                "mix",
                "--parallelism",
                "2",
                "--option",
                checkpoints());
        upgrade.follow("is stopped, with savepoint");
        long there = emitted();
        upgrade.follow("runs, and has completed a checkpoint");

        assertThat(upgrade.end()).isZero();
        assertThat(trained()).isLessThan(there);
        assertThat(waits).as("batches that the trainer asked for before they were there").isZero();
        assertThat(upgraded(flink, "--dry-run", "--option", checkpoints()).out())
            .contains("parallelism 2, as it is", "--heap-share 0.3", "nothing was stopped");
        // More than the first job has written.
        train(there + 10);

        Patience.await(Patience.MINUTE, this::emitted, batches -> batches >= trained() + LEAD / 2);
        goesBack(flink);
        train(BATCHES);
      }
      AuditReport audit = Auditor.audit(kafka, "moved");
      assertThat(audit.violations()).isEmpty();
      assertThat(audit.sequences()).isEqualTo(16L * BATCHES);
    }
  }

  /** What the cluster, the program or the slots would refuse is found before the job is stopped. */
  private void refusesWhatWouldNotStart(StockFlink flink) {
    Patience.await(
        Patience.MINUTE,
        () -> upgraded(flink, "--dry-run").err(),
        said ->
            said.contains(
                "--option execution.checkpointing.dir=file:"
                    + directory.resolve("checkpoints")
                    + " must be given for 'sluice mix'"));
    assertThat(upgraded(flink, "--option", "execution.checkpointing.dir=/shared").err())
        .contains("JobRefusedException: execution.checkpointing.dir must be a URI with its scheme")
        .contains("goes on as it was");
    assertThat(
            upgraded(
                    flink,
                    "--option",
                    checkpoints(),
                    "--",
                    "mix",
                    "--kafka",
                    kafka.bootstrapServers(),
                    "--tread",
                    "2")
                .err())
        .contains("Unknown options: '--tread', '2'")
        .contains("goes on as it was");
    assertThat(upgraded(flink, "--option", checkpoints(), "--parallelism", "50").err())
        .contains(
            " needs 50 slots of Flink, as many as its parallelism, and 7 are there for it: 1 that"
                + " it holds and 6 that are free, of 8 in all")
        .contains("goes on as it was");
  }

  private Said upgraded(StockFlink flink, String... options) {
    List<String> all = new ArrayList<>(List.of("upgrade", "--flink", flink.url(), "--job", "mix"));
    all.addAll(List.of(options));
    return sluice.run(all.toArray(String[]::new));
  }

  /** An upgrade that fails once the job is stopped says how to go back, and that works. */
  private void goesBack(StockFlink flink) throws Exception {
    String bound = "pipeline.max-parallelism=100";
    Command upgrade =
        new Command(
            "--flink",
            flink.url(),
            "--job",
            "mix",
            "--option",
            checkpoints(),
            "--option",
            bound,
            "--",
            "mix",
            "--kafka",
            kafka.bootstrapServers(),
            "--heap-share",
            "0.2");
    upgrade.follow("to go back to what ran before:");
    List<String> way = new ArrayList<>(List.of(upgrade.next().strip().split(" ")));

    assertThat(upgrade.end()).isEqualTo(1);
    assertThat(upgrade.lines).last().asString().contains("; nothing runs in place of 'sluice mix'");
    assertThat(way.remove(0)).isEqualTo("flink");
    assertThat(way).contains("-D" + checkpoints()).endsWith("--heap-share", "0.3");
    // This option is what failed: savepoints are bound to the most parallelism of before.
    assertThat(way.remove("-D" + bound)).isTrue();
    flink.flink(way.toArray(String[]::new));
  }

  /** The cluster says nothing of it. */
  private String checkpoints() {
    return "execution.checkpointing.dir=" + directory.resolve("checkpoints").toUri();
  }

  private void prepare(StockFlink flink) throws IOException {
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
    }
    sluice.does("dataset", "apply", "-f", write("data.yaml", Testbed.FILE));
    new Testbed(kafka).fill();
    flink.flink(
        "run",
        "-d",
        "-D",
        checkpoints(),
        StockFlink.jar(),
        "mix",
        "--kafka",
        kafka.bootstrapServers(),
        "--heap-share",
        "0.3");
    flink.flink(
        "run",
        "-d",
        "-D",
        checkpoints(),
        StockFlink.jar(),
        "prepare",
        "--kafka",
        kafka.bootstrapServers(),
        "--dataset",
        "data");
    sluice.does("run", "apply", "-f", write("run.yaml", RUN));
  }

  private long trained() {
    return trainer.batches().size();
  }

  private void train(long last) {
    trainer.train(last, 0, (step, domain) -> 1);
  }

  private long emitted() {
    emitted = Auditor.audit(kafka, "moved").emitted();
    return emitted;
  }

  /** Trains one batch, and counts it if the stream does not have it yet. */
  private void trainOne() {
    long next = trained() + 1;
    if (next > emitted && next > emitted()) {
      waits++;
    }
    train(next);
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  /** An upgrade that runs while the trainer trains at the pace of its lines. */
  private final class Command {
    private static final String END = "";

    private final List<String> lines = new ArrayList<>();
    private final BlockingQueue<String> printed = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> exit;

    Command(String... options) {
      List<String> all = new ArrayList<>(List.of("upgrade"));
      all.addAll(List.of(options));
      CommandLine command =
          Sluice.commandLine(
              new GlobalOptions(Map.of("SLUICE_KAFKA", kafka.bootstrapServers()), directory),
              further -> {});
      PrintWriter out = new PrintWriter(new Lines(printed), true);
      command.setOut(out);
      command.setErr(out);
      exit = CompletableFuture.supplyAsync(() -> command.execute(all.toArray(String[]::new)));
      var unused = exit.whenComplete((code, failure) -> printed.add(END));
    }

    /** Trains some batches for each line until one has a text. */
    void follow(String text) throws InterruptedException {
      String line;
      do {
        line = next();
        assertThat(line).as(() -> String.join("\n", lines)).isNotEqualTo(END);
        for (int i = 0; i < BATCHES_A_LINE; i++) {
          trainOne();
        }
      } while (!line.contains(text));
    }

    String next() throws InterruptedException {
      String line =
          printed.poll(Patience.of(Duration.ofMinutes(3)).toMillis(), TimeUnit.MILLISECONDS);
      assertThat(line).as(() -> String.join("\n", lines)).isNotNull();
      lines.add(line);
      return line.replaceFirst("^sluice: ", "");
    }

    int end() throws InterruptedException {
      for (String line = next(); !line.equals(END); line = next()) {
        trainOne();
      }
      lines.remove(lines.size() - 1);
      return exit.join();
    }
  }

  /** Takes a text apart into lines. */
  private static final class Lines extends Writer {
    private final StringBuilder open = new StringBuilder();
    private final BlockingQueue<String> lines;

    Lines(BlockingQueue<String> lines) {
      this.lines = lines;
    }

    @Override
    public synchronized void write(char[] text, int from, int length) {
      for (int i = from; i < from + length; i++) {
        if (text[i] == '\n') {
          lines.add(open.toString());
          open.setLength(0);
        } else {
          open.append(text[i]);
        }
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
