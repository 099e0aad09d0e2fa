package io.sluice.cli.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.optimizer.Optimizer;
import io.sluice.cli.loop.TestingService;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.control.history.RunHistory;
import io.sluice.djl.model.CausalTransformer;
import io.sluice.djl.model.ModelSize;
import io.sluice.djl.model.TokenLoss;
import io.sluice.djl.trainer.TrainingSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the code that the README of Sluice for DJL shows: each trains through a round. */
class DjlExampleIT {
  private static final Path EXAMPLE =
      Path.of("src/test/java/io/sluice/cli/trainer/DjlExample.java");
  private static final Path README = Path.of("../../trainer-bridge/djl/README.md");
  private static final Path FIRST_README = Path.of("../../README.md");
  private static final int STEPS = 11;

  @TempDir private static Path directory;

  private static TestingService service;

  @BeforeAll
  static void start() {
    service = new TestingService(directory.resolve("service"));
    service.ingest("large", 500, true);
    service.ingest("medium", 400, true);
    service.ingest("small", 200, true);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  /** One run: the examples after the first read its batches again. */
  @Test
  void everyExampleTrains() throws Exception {
    RunInfo run = service.start(service.velocitune("velo-small", STEPS));
    ModelSize size = size(run);
    TrainingSummary summary =
        DjlExample.reference(
            service.kafka.bootstrapServers(), directory.resolve("checkpoints"), STEPS);
    assertThat(summary.lastStep()).isEqualTo(STEPS);
    assertThat(RunHistory.read(service.kafka, "velo-small").rounds()).hasSize(1);
    ByteBuffer rows = ByteBuffer.allocateDirect(1 << 20);
    StreamState begin = StreamState.start(run.runId());
    DjlExample.attach(service.kafka.bootstrapServers(), 0, 1, begin, -1, rows);
    assertThat(rows.position()).isPositive();
    try (Model model = model(size);
        Trainer trainer = trainer(model, size)) {
      float[] before = embedding(model);
      DjlExample.loop(service.kafka, size, trainer, STEPS);
      float[] after = embedding(model);
      assertThat(after).isNotEqualTo(before).doesNotContain(Float.NaN);
      DjlExample.easyTrain(service.kafka, size, trainer, STEPS);
      assertThat(embedding(model)).isNotEqualTo(after).doesNotContain(Float.NaN);
    }
  }

  private static float[] embedding(Model model) {
    return model.getBlock().getParameters().get(0).getValue().getArray().toFloatArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reference", "loop", "easy-train"})
  void theReadmeShowsIt(String name) throws Exception {
    assertThat(Files.readString(README)).contains("```java\n" + code(name) + "\n```");
  }

  @Test
  void theFirstReadmeTrainsInTenLines() throws Exception {
    String code = code("reference");
    assertThat(Files.readString(FIRST_README)).contains("```java\n" + code + "\n```");
    assertThat(code.lines()).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void theFirstReadmeAttachesATrainer() throws Exception {
    assertThat(Files.readString(FIRST_README)).contains("```java\n" + code("attach") + "\n```");
  }

  private static String code(String name) throws IOException {
    List<String> lines = Files.readAllLines(EXAMPLE);
    int from = lines.indexOf("    // README: " + name) + 1;
    assertThat(from).isPositive();
    List<String> rest = lines.subList(from, lines.size());
    return String.join("\n", rest.subList(0, rest.indexOf("    // README: end"))).stripIndent();
  }

  private static ModelSize size(RunInfo run) {
    return new ModelSize(1, 16, 2, run.spec().getVocabulary(), run.spec().getSequenceLength());
  }

  private static Model model(ModelSize size) {
    Model model = Model.newInstance("own", Device.cpu(), "PyTorch");
    model.setBlock(new CausalTransformer(size, 1));
    return model;
  }

  private static Trainer trainer(Model model, ModelSize size) {
    Trainer trainer =
        model.newTrainer(
            new DefaultTrainingConfig(new TokenLoss())
                .optDevices(new Device[] {Device.cpu()})
                .optOptimizer(Optimizer.adam().build()));
    Shape rows = new Shape(16, size.sequenceLength());
    trainer.initialize(rows, rows, rows);
    return trainer;
  }
}
