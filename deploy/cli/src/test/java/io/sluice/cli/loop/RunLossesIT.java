package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.runs.NewRun;
import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.RunLosses;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLossesIT {
  private static final String RUN = "measured";

  @TempDir Path directory;

  @Test
  void mergesTheRanksOfARunAndCountsItsTokens() {
    try (EmbeddedBroker broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE)) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      String runId = start(kafka);
      String topic = kafka.topics().feedback(RUN);
      try (KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
        for (int rank = 0; rank < 2; rank++) {
          send(producer, topic, feedback(runId, 0, rank, "eval_loss", 4 + 2 * rank));
          send(producer, topic, feedback(runId, 20, rank, "eval_loss", 2 + 2 * rank));
          send(producer, topic, feedback(runId, 20, rank, "train_loss", 9));
          send(producer, topic, feedback("another", 10, rank, "eval_loss", 9));
        }
        send(producer, topic, feedback(runId, 10, 1, "eval_loss", 9));
        send(producer, topic, new byte[] {1, 2, 3});
      }
      LossHistory history = RunLosses.read(kafka, RUN);
      assertThat(history.domains()).containsExactly("a", "b");
      assertThat(history.losses()).containsOnlyKeys(0L, 20L);
      assertThat(history.losses().get(0L)).containsExactly(5, Double.NaN);
      assertThat(history.losses().get(20L)).containsExactly(3, Double.NaN);
      // Ten batches of 16 sequences and ten of 32, of 64 tokens each.
      assertThat(history.rounds().get(0L).tokens()).isZero();
      assertThat(history.rounds().get(20L).tokens()).isEqualTo(480 * 64.0);
      assertThat(history.plannedTokens()).hasValue((160 + 90 * 32) * 64.0);
      assertThat(history.weightsMoved()).isFalse();
      assertThatThrownBy(() -> RunLosses.read(kafka, "unheard-of"))
          .hasMessage("run must be one of [measured]: 'unheard-of'");
    }
  }

  /** The first entry of a run whose batches grow. */
  private static String start(KafkaAccess kafka) {
    DatasetSpec dataset =
        DatasetSpecs.resolve(
            new DatasetSettings("data", "bytes", 64, 100, 7, .1, List.of("a", "b"), 1));
    RunSpec spec =
        RunSpecs.complete(
            NewRun.of(RUN, dataset, 16)
                .setBatchSizes(List.of(new BatchSize(1L, 16), new BatchSize(11L, 32)))
                .setBatches(100)
                .setSeed(42)
                .setStreamPartitions(1)
                .setEpochs(List.of(1000, 1000))
                .build());
    String runId = RUN + ".1";
    try (TopicAdmin admin = new TopicAdmin(kafka);
        KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
      admin.ensureService();
      String streamId = admin.ensureRun(spec, runId);
      var entry = GrantPlanner.start(runId, RunSpecs.settings(spec), "asked for");
      send(
          producer,
          kafka.topics().control(runId),
          WireCodec.encode(
              ControlWire.started(
                  entry, new ApplyRun(spec, streamId, null, false, false), "writer", 1)));
    }
    return runId;
  }

  private static byte[] feedback(String runId, long step, int rank, String metric, double loss) {
    return WireCodec.encode(
        TrainerFeedback.newBuilder()
            .setRunId(runId)
            .setTimeline(0)
            .setStep(step)
            .setTrainerStep(step)
            .setAttempt("at-" + step)
            .setWorldSize(2)
            .setRank(rank)
            .setMetric(metric)
            .setEntries(
                List.of(new DomainMeasure("a", 100 * loss, 100L), new DomainMeasure("c", 1.0, 1L)))
            .setTimeMillis(1)
            .build());
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] value) {
    var unused = producer.send(new ProducerRecord<>(topic, 0, null, value));
  }

  private static KafkaProducer<byte[], byte[]> producer(KafkaAccess kafka) {
    return new KafkaProducer<>(
        kafka.with(Map.of("acks", "all")), new ByteArraySerializer(), new ByteArraySerializer());
  }
}
