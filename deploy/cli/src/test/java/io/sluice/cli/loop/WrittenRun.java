package io.sluice.cli.loop;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.RunSpecs;
import io.sluice.mixture.decide.GrantPlanner;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.plan.BatchOrder;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.flink.connector.testframe.external.ExternalSystemSplitDataWriter;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A run over two domains whose stream is given: its control log is written as the rules demand, and
 * each block is put into the domain and at the ordinal that the log's order takes.
 */
final class WrittenRun implements ExternalSystemSplitDataWriter<String> {
  /** Sequences in each batch; what is written must be whole batches. */
  static final int BATCH = 8;

  private static final long SEED = 42;
  private static final Weights WEIGHTS = Weights.ofShares(0.7, 0.3);

  private final KafkaAccess kafka;
  private final String name;
  private final boolean completes;
  private final KafkaProducer<byte[], byte[]> producer;
  private final MixturePlan plan = MixturePlan.start(2);
  private final long[] ordinals = new long[2];
  private LogPosition position;
  private long sequences;

  /**
   * @param completes whether the run is complete after what is written first
   */
  WrittenRun(KafkaAccess kafka, String name, boolean completes) {
    this.kafka = kafka;
    this.name = name;
    this.completes = completes;
    // One request at a time: of two that meet a new topic, the first may find no leader yet and the
    // second one may; the broker takes that as the producer's first, and the other never again.
    Map<String, Object> oneAtATime = Map.of("max.in.flight.requests.per.connection", 1);
    this.producer =
        new KafkaProducer<>(
            kafka.with(oneAtATime), new ByteArraySerializer(), new ByteArraySerializer());
    this.position = start();
  }

  private LogPosition start() {
    RunSpec spec = spec();
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      admin
          .createTopics(
              spec.getDomains().stream()
                  .map(domain -> new NewTopic(kafka.topics().blocks(name, domain), 1, (short) 1))
                  .toList())
          .all()
          .get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot create the block topics of " + name, e);
    }
    ControlEntry entry = GrantPlanner.start(name + ".1", RunSpecs.settings(spec), "asked");
    ControlRecord started =
        ControlWire.started(entry, new ApplyRun(spec, "", null, false, false), "test", 0);
    return LogPosition.start(entry.runId()).after(entry, append(started));
  }

  private RunSpec spec() {
    return RunSpec.newBuilder()
        .setRun(name)
        .setDataset(name)
        .setFingerprint(9)
        .setTokenizer("bytes")
        .setVocabulary(260)
        .setSequenceLength(64)
        .setDomains(List.of("java", "prose"))
        .setStreamPartitions(4)
        .setBatchSizes(List.of(new BatchSize(1L, BATCH)))
        .setSeed(SEED)
        .setInitialWeights(ControlWire.boxed(WEIGHTS))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(List.of(1, 1))
        .build();
  }

  @Override
  public void writeRecords(List<String> records) {
    int batches = records.size() / BATCH;
    int[] sizes = new int[batches];
    int[] counts = new int[2 * batches];
    long after = position.granted();
    long first = sequences;
    for (int n = 0; n < batches; n++) {
      int[] row = plan.next(WEIGHTS, BATCH);
      sizes[n] = BATCH;
      System.arraycopy(row, 0, counts, 2 * n, 2);
      int[] order = BatchOrder.order(SEED, 0, after + n + 1, row);
      for (int place = 0; place < BATCH; place++) {
        writeBlock(order[place], records.get(n * BATCH + place));
      }
      sequences += BATCH;
    }
    producer.flush();
    write(
        new Grant(
            after,
            after + batches,
            first,
            1,
            sizes,
            counts,
            WEIGHTS,
            new long[0],
            Optional.empty()));
    if (completes) {
      write(new PhaseChange(RunPhase.COMPLETED, ""));
    }
  }

  private void writeBlock(int domain, String text) {
    String topic = kafka.topics().blocks(name, spec().getDomains().get(domain));
    byte[] block = text.getBytes(StandardCharsets.UTF_8);
    var unused = producer.send(new ProducerRecord<>(topic, 0, ordinals[domain]++, null, block));
  }

  private void write(ControlEntry.Body body) {
    ControlEntry entry =
        new ControlEntry(
            position.runId(), 0, position.serial() + 1, position.offset(), "test", body);
    position = position.after(entry, append(ControlWire.write(entry, "test", 0)));
  }

  private long append(ControlRecord entry) {
    try {
      return producer
          .send(new ProducerRecord<>(kafka.topics().control(), 0, null, WireCodec.encode(entry)))
          .get()
          .offset();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("cannot write to the control log", e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
