package io.sluice.cli.refine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.control.refine.RefineLog;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.refine.RefineJob;
import io.sluice.refine.decide.RefineSpecs;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.step.StepNames;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.flink.EmbeddedFlink;
import io.sluice.service.flink.FlinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A domain whose topics an imported network tells, which knows no number for some documents. */
class NeuralRefineryIT {
  private static final Path TINY = Path.of("../../flink-jobs/models/src/test/resources/models");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void documentsGoWhereTheNetworkSaysAndThoseItCannotTellOfAreDeadLetters() throws IOException {
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        EmbeddedFlink flink = EmbeddedFlink.start(FlinkSettings.in(directory.resolve("flink")))) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      TestingSluice sluice = new TestingSluice(kafka, directory);
      RefineSpec spec = spec(sluice);
      try (TopicAdmin admin = new TopicAdmin(kafka)) {
        admin.ensureService();
        admin.ensureRefinery(spec);
      }
      flink.submit(
          "neural",
          env -> {
            env.setParallelism(2);
            RefineJob.build(env, kafka, spec, 3);
          },
          Optional.empty());
      String lines = "the judge of the court\nint loop code\nthe sea\n".repeat(50);
      String file = Files.writeString(directory.resolve("in.txt"), lines).toString();
      sluice.does("ingest", "--domain", "in", "--create", "--end", "--format", "lines", file);

      RefineLog log = new RefineLog(kafka, "neural");
      Patience.await(
          Duration.ofMinutes(2),
          () -> log.progress(PATIENCE).map(RefineProgress::getEnded).orElse(false));
      assertThat(log.progress(PATIENCE).orElseThrow().getCounts())
          .containsEntry("kept", 100L)
          .containsEntry("dead letter", 50L);
      assertThat(sluice.does("deadletter", "list", "--domain", "in"))
          .contains("a model must answer with finite numbers: found NaN");
    }
  }

  private RefineSpec spec(TestingSluice sluice) {
    Path model = directory.resolve("topic");
    sluice.does(
        "classifier",
        "import",
        "--model",
        TINY.resolve("holed.onnx").toString(),
        "--tokenizer",
        TINY.resolve("tokenizer.json").toString(),
        "--labels",
        "law,code,water",
        "--max-tokens",
        "16",
        "--out",
        model.toString());
    String hash = ModelDirectory.open(model, ModelDirectory.LARGEST).hash();
    RefineStep topic = new RefineStep(StepNames.TOPIC, model.toString(), hash, Map.of());
    return RefineSpecs.resolve("neural", List.of("in"), "out-{topic}", List.of(topic));
  }
}
