package io.sluice.cli.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.Testbed;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.control.audit.AuditReport;
import io.sluice.control.audit.Auditor;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.broker.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The jar that 'flink run' takes, on a Flink that knows nothing of Sluice. */
class StockFlinkIT {
  private static final Path TOKENIZER =
      Path.of("../../flink-jobs/jobs/src/test/resources/tokenizers/small/word-piece.json");
  private static final String DATASET =
      """
      dataset: %s
      tokenizer: file:%s
      sequence-length: 32 tokens
      shuffle-buffer: 100 documents
      held-out: 0.1
      domains: [%s]
      """;
  private static final String RUN =
      """
      run: stock
      dataset: data
      batch: 16 sequences
      batches: 60
      initial-weights: uniform
      policy: {velocitune: {every: 10, target-fraction: 0.5}}
      when-ended: {default: {repeat: 1000}}
      """;
  private static final Pattern SUBMITTED = Pattern.compile("JobID ([0-9a-f]{32})");
  private static final Pattern SAVEPOINT = Pattern.compile("Savepoint completed. Path: (\\S+)");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path directory;

  private EmbeddedBroker broker;
  private KafkaAccess kafka;
  private TestingSluice sluice;

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
  @EnabledIfSystemProperty(named = "sluice.stock", matches = "true")
  void goesOnThroughKillsAndSavepointsAsFlinksOwnJobsDo() throws Exception {
    int port = Ports.free();
    Map<String, String> options = new HashMap<>(StockFlink.highlyAvailable(directory, port));
    options.put("execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
    options.put("execution.checkpointing.interval", "500 ms");
    try (StockFlink flink = new StockFlink(directory.resolve("flink"), options)) {
      flink.startZooKeeper(port);
      flink.startJobManager();
      flink.startTaskManager("task-manager-1");
      String mix = submit(flink, List.of(), "mix");
      prepare(flink);
      sluice.does("run", "apply", "-f", write("run.yaml", RUN));
      RunInfo run = RunDirectory.find(kafka, "stock", Patience.MINUTE);
      try (ScriptedTrainer trainer = new ScriptedTrainer(kafka, run)) {
        trainer.train(10, 10, StockFlinkIT::losses);
        flink.kill("task-manager-1");
        flink.startTaskManager("task-manager-2");
        trainer.train(20, 10, StockFlinkIT::losses);
        flink.kill("job-manager");
        flink.startJobManager();
        trainer.train(30, 10, StockFlinkIT::losses);
        mix = rescaled(flink, mix, 4);
        trainer.train(40, 10, StockFlinkIT::losses);
        mix = rescaled(flink, mix, 2);
        trainer.train(50, 10, StockFlinkIT::losses);
        flink.flink("cancel", mix);
        submit(flink, List.of(), "mix");
        trainer.train(60, 10, StockFlinkIT::losses);
      }
      assertThat(complaints(flink.log("task-manager-2"))).isEmpty();
      AuditReport audit = Auditor.audit(kafka, "stock");
      assertThat(audit.violations()).isEmpty();
      assertThat(audit.sequences()).isEqualTo(960);
    }
  }

  @Test
  void withoutCheckpointsItIsRefusedAtOnce() throws Exception {
    try (StockFlink flink = new StockFlink(directory.resolve("flink"), Map.of())) {
      StockFlink.Ran ran =
          flink.run("run", "-d", StockFlink.jar(), "mix", "--kafka", kafka.bootstrapServers());

      assertThat(ran.exit()).isNotZero();
      assertThat(ran.said())
          .contains("execution.checkpointing.dir must be a directory that every process");
      ran =
          flink.run(
              "run",
              "-d",
              StockFlink.jar(),
              "mix",
              "--kafka",
              kafka.bootstrapServers(),
              "--tread",
              "2");
      assertThat(ran.exit()).isNotZero();
      assertThat(ran.said())
          .contains("Unknown options: '--tread', '2'; see 'sluice-jobs mix --help'");
      assertThat(flink.flink("run", StockFlink.jar(), "prepare", "--help"))
          .contains("--source-roots");
    }
  }

  @Test
  void nothingOfSluiceIsOnFlinksPath() throws IOException {
    // Of their folders one may be a checkout's own.
    List<String> jars =
        Stream.of(StockFlink.classPath().split(File.pathSeparator, -1))
            .map(path -> new File(path).getName())
            .toList();
    assertThat(jars)
        .anyMatch(
            jar -> jar.contains("flink-") && jar.contains(EnvironmentInformation.getVersion()))
        .noneMatch(jar -> jar.contains("sluice") || jar.startsWith("kafka-clients"));
  }

  /** Two datasets with one tokenizer, whose file is gone when they are prepared. */
  private void prepare(StockFlink flink) throws IOException {
    Path tokenizer = Files.copy(TOKENIZER, directory.resolve("tokenizer.json"));
    try (TopicAdmin admin = new TopicAdmin(kafka)) {
      admin.ensureService();
    }
    for (String dataset : List.of("data", "other")) {
      String domains = dataset.equals("data") ? "large, medium, small" : "small";
      sluice.does(
          "dataset",
          "apply",
          "-f",
          write(dataset + ".yaml", DATASET.formatted(dataset, tokenizer, domains)));
    }
    Files.delete(tokenizer);
    new Testbed(kafka).fill();
    submit(flink, List.of(), "prepare", "--dataset", "data");
    submit(flink, List.of(), "prepare", "--dataset", "other", "--threads", "1");
  }

  private String submit(StockFlink flink, List<String> more, String job, String... options)
      throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run", "-d"));
    arguments.addAll(more);
    arguments.addAll(List.of(StockFlink.jar(), job, "--kafka", kafka.bootstrapServers()));
    arguments.addAll(List.of(options));
    return found(SUBMITTED, flink.flink(arguments.toArray(String[]::new)));
  }

  /** The same job from a savepoint, with another parallelism. */
  private String rescaled(StockFlink flink, String job, int parallelism) throws IOException {
    flink.awaitTasks(job);
    String folder = directory.resolve("savepoints").toUri().toString();
    String savepoint = found(SAVEPOINT, flink.flink("stop", "--savepointPath", folder, job));
    return submit(flink, List.of("-s", savepoint, "-p", Integer.toString(parallelism)), "mix");
  }

  private static String found(Pattern pattern, String said) {
    Matcher matcher = pattern.matcher(said);
    assertThat(matcher.find()).as(said).isTrue();
    return matcher.group(1);
  }

  private String write(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  /** What a job says that is not well, but for a busy machine's broker that takes its time. */
  private static List<String> complaints(String log) {
    return log.lines()
        .filter(line -> line.contains(" WARN  io.sluice") || line.contains(" ERROR io.sluice"))
        .filter(line -> !line.contains("has no leader, or none that answers"))
        .toList();
  }

  private static double losses(long step, String domain) {
    return 4 - step * (domain.equals("medium") ? .001 : .02);
  }
}
