package io.sluice.cli.trainer;

import io.sluice.client.run.RunInfo;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The stream of a run that no job has mixed: u16 blocks of one domain, batch after batch. */
public final class WrittenStream {
  private static final int PARTITIONS = 4;
  private static final long FINGERPRINT = 42;

  private final KafkaAccess access;
  private final RunInfo run;
  private final int batchSize;
  private final byte[] tokens;
  private final long[] chains = new long[PARTITIONS];
  private long next;

  private WrittenStream(KafkaAccess access, RunInfo run, int sequenceLength, int batchSize) {
    this.access = access;
    this.run = run;
    this.batchSize = batchSize;
    tokens = new byte[2 * (sequenceLength + 1)];
    new Random(1).nextBytes(tokens);
    Arrays.fill(chains, ChainHash.START);
  }

  /** A stream without a batch, of a run that has been started. */
  public static WrittenStream create(
      KafkaAccess access, String name, int sequenceLength, int batchSize) {
    RunInfo run = new RunInfo(name + "-1", spec(name, sequenceLength, batchSize));
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      admin.ensureRun(run.spec());
    }
    WrittenStream stream = new WrittenStream(access, run, sequenceLength, batchSize);
    try (KafkaProducer<byte[], byte[]> producer = stream.producer()) {
      RunStarted started = new RunStarted(run.spec(), 1, "", List.of(0L), null, null);
      var unused =
          producer.send(
              new ProducerRecord<>(
                  access.topics().control(),
                  WireCodec.encode(
                      new ControlRecord(run.runId(), 0, 0L, -1L, "test", 0L, "", started))));
    }
    return stream;
  }

  /** The run that it is of. */
  public RunInfo run() {
    return run;
  }

  private KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        access.with(Map.of("linger.ms", "20", "batch.size", "1000000")),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** Writes the next batches. */
  public void write(long batches) {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      for (long end = next + batches * batchSize; next < end; next++) {
        var unused = producer.send(sequence());
      }
    }
  }

  /** Removes the batches before one; the sequences of a batch must divide by the partitions. */
  public void removeBefore(long batch) throws Exception {
    Map<TopicPartition, RecordsToDelete> removed = new HashMap<>();
    long each = (batch - 1) * batchSize / PARTITIONS;
    for (int partition = 0; partition < PARTITIONS; partition++) {
      removed.put(
          new TopicPartition(access.topics().stream(run.name()), partition),
          RecordsToDelete.beforeOffset(each));
    }
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      admin.deleteRecords(removed).all().get();
    }
  }

  private ProducerRecord<byte[], byte[]> sequence() {
    int partition = (int) (next % PARTITIONS);
    chains[partition] =
        ChainHash.next(chains[partition], next, ChainHash.domain(FINGERPRINT, "prose"), 0, next);
    long batch = 1 + next / batchSize;
    StreamHeader header =
        new StreamHeader(
            0, batch, (batch - 1) * batchSize, batchSize, next, 1, next, chains[partition]);
    return new ProducerRecord<>(
        access.topics().stream(run.name()),
        partition,
        batch,
        null,
        WireCodec.encode(block(next, tokens)),
        new RecordHeaders().add(StreamHeader.KEY, header.encode()));
  }

  private static TokenBlock block(long ordinal, byte[] tokens) {
    int count = tokens.length / 2;
    return TokenBlock.newBuilder()
        .setFingerprint(FINGERPRINT)
        .setDomain("prose")
        .setOrdinal(ordinal)
        .setTokenWidth(2)
        .setTokens(ByteBuffer.wrap(tokens))
        .setDocumentLengths(List.of(count / 2, count - count / 2))
        .setDocumentIds(List.of("document-" + ordinal, "document-" + (ordinal + 1)))
        .setTrainedTokens(count - 1)
        .build();
  }

  private static RunSpec spec(String name, int sequenceLength, int batchSize) {
    return RunSpec.newBuilder()
        .setRun(name)
        .setDataset("data")
        .setFingerprint(FINGERPRINT)
        .setTokenizer("r50k_base")
        .setVocabulary(50_257)
        .setSequenceLength(sequenceLength)
        .setDomains(List.of("prose"))
        .setStreamPartitions(PARTITIONS)
        .setBatchSizes(List.of(new BatchSize(1L, batchSize)))
        .setSeed(1)
        .setInitialWeights(List.of(1L << 40))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(List.of(1))
        .build();
  }
}
