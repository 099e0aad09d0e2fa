package io.sluice.lab.bench.age;

import io.sluice.control.error.Deliveries;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.lab.bench.measure.BenchLog;
import io.sluice.lab.bench.measure.BlockTopics;
import io.sluice.lab.bench.measure.DrivenRun;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes what a service has come to have: blocks, and commands and control logs of runs that have
 * long been decided on, as their controllers write them. Streams and statuses are MixJob's to
 * write.
 */
final class AgedService {
  private static final int BLOCK_BYTES = 256;
  private static final int SAID_EVERY = 100;

  private final KafkaAccess kafka;
  private final AgeShape shape;
  private final BenchLog log;
  private final BlockTopics blocks;
  private final Deliveries deliveries = new Deliveries("the logs");

  AgedService(KafkaAccess kafka, AgeShape shape, BenchLog log) {
    this.kafka = kafka;
    this.shape = shape;
    this.log = log;
    this.blocks = new BlockTopics(kafka, shape.domains(), 1, shape.blocks(), BLOCK_BYTES);
  }

  /** The dataset of all runs. */
  DatasetSpec dataset() {
    return blocks.spec();
  }

  /** Names of the runs that are completed. */
  List<String> ended() {
    return names("ended-", shape.ended());
  }

  /** Names of the runs that go on. */
  List<String> live() {
    return names("live-", shape.live());
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
  }

  static String runId(String name) {
    return name + ".bench";
  }

  /** Writes it all, some runs at a time. */
  void write() {
    log.say("%s: blocks of %d domains", shape, shape.domains());
    blocks.fill();
    int threads = Runtime.getRuntime().availableProcessors();
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    try (Producer<byte[], byte[]> producer = producer();
        TopicAdmin admin = new TopicAdmin(kafka)) {
      List<Future<?>> written = new ArrayList<>();
      for (String name : live()) {
        written.add(workers.submit(() -> write(producer, admin, name, false)));
      }
      for (String name : ended()) {
        written.add(workers.submit(() -> write(producer, admin, name, true)));
      }
      await(written);
      producer.flush();
    } finally {
      workers.shutdownNow();
    }
    deliveries.require();
  }

  private void await(List<Future<?>> written) {
    try {
      for (int i = 0; i < written.size(); i++) {
        written.get(i).get();
        if ((i + 1) % SAID_EVERY == 0) {
          log.say("logs of %d of %d runs", i + 1, written.size());
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a run cannot be written: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while logs were written", e);
    }
  }

  private void write(
      Producer<byte[], byte[]> producer, TopicAdmin admin, String name, boolean ends) {
    RunSpec spec = shape.run(dataset(), name, ends);
    String runId = runId(name);
    byte[] key = runId.getBytes(StandardCharsets.UTF_8);
    String control = kafka.topics().control(runId);
    String streamTopicId = admin.ensureRun(spec, runId);
    WrittenStream stream =
        new WrittenStream(blocks, kafka.topics().stream(name), record -> send(producer, record));
    SupplyIndex supply = DrivenRun.supply(spec, shape.blocks());
    DrivenRun run =
        new DrivenRun(
            runId,
            supply,
            entry -> {
              send(producer, new ProducerRecord<>(control, 0, key, entry.value()));
              stream.follow(entry.record());
            },
            System.currentTimeMillis());
    byte[] asked = WireCodec.encode(run.start(spec, streamTopicId));
    send(producer, new ProducerRecord<>(kafka.topics().runs(), 0, key, asked));
    new AgedRun(run, new LossWaves(dataset().getDomains()))
        .decide(ends ? shape.decisionsOfEnded() : shape.decisionsOfLive());
  }

  private void send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
    var unused = producer.send(record, deliveries);
  }

  private Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        kafka.with(
            Map.of(
                "acks",
                "all",
                "enable.idempotence",
                "true",
                "linger.ms",
                20,
                "batch.size",
                64 << 10,
                "delivery.timeout.ms",
                600_000)),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
