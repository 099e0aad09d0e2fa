package io.sluice.cli.trainer;

import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.schema.BatchSize;
import io.sluice.schema.ChainHash;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.service.broker.TestingTopics;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a run that no job has mixed: u16 blocks of one domain, batch after batch, whose
 * first token is the block's ordinal.
 */
public final class WrittenStream {
  private static final int PARTITIONS = 4;
  private static final long FINGERPRINT = 42;

  private final KafkaAccess access;
  private final RunInfo run;
  private final int batchSize;
  private final byte[] tokens;
  private final long[] chains = new long[PARTITIONS];
  private final WrittenLog log;
  private int timeline;
  private long next;

  private WrittenStream(KafkaAccess access, RunInfo run, @Nullable RunOrigin origin) {
    this.access = access;
    this.run = run;
    batchSize = run.spec().getBatchSizes().get(0).getSequences();
    tokens = new byte[2 * (run.spec().getSequenceLength() + 1)];
    new Random(1).nextBytes(tokens);
    Arrays.fill(chains, ChainHash.start(MixturePlan.VERSION, run.runId()));
    next = origin == null ? 0 : origin.getSnapshot().getNextSequence();
    try (TopicAdmin admin = new TopicAdmin(access)) {
      admin.ensureService();
      admin.ensureRun(run.spec(), run.runId());
    }
    log = new WrittenLog(access, run, origin);
  }

  /** A stream without a batch, of a run that has been started. */
  public static WrittenStream create(
      KafkaAccess access, String name, int sequenceLength, int batchSize) {
    return new WrittenStream(
        access, new RunInfo(name + ".1", spec(name, sequenceLength, batchSize)), null);
  }

  /** The same of a run that masks documents. */
  public static WrittenStream create(
      KafkaAccess access,
      String name,
      int sequenceLength,
      int batchSize,
      List<DocumentMask> masks) {
    RunSpec spec =
        RunSpec.newBuilder(spec(name, sequenceLength, batchSize)).setMasks(masks).build();
    return new WrittenStream(access, new RunInfo(name + ".1", spec), null);
  }

  /** The stream of a run that is forked from this one's after a batch; it has no batch yet. */
  public WrittenStream fork(String name, long batch) {
    RunInfo fork = new RunInfo(name + ".1", RunSpec.newBuilder(run.spec()).setRun(name).build());
    return new WrittenStream(access, fork, log.origin(batch, batch * batchSize));
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

  /** Writes the next batch, whose first sequence has a header that nobody can read. */
  public void writeDamaged() {
    try (KafkaProducer<byte[], byte[]> producer = producer()) {
      ProducerRecord<byte[], byte[]> first = sequence();
      first.headers().remove(StreamHeader.KEY).add(StreamHeader.KEY, new byte[] {2, 0});
      var unused = producer.send(first);
      for (next++; next % batchSize != 0; next++) {
        unused = producer.send(sequence());
      }
    }
  }

  /** The state of a trainer that has trained on a batch and on none after it. */
  public StreamState after(long batch) {
    return new StreamState(run.runId(), batch == 0 ? 0 : timeline, batch, batch * batchSize);
  }

  /** Grants the batches that are written. */
  public void grantWritten() {
    log.grant(next / batchSize);
  }

  /** Ends the run. */
  public void end(String state, String why) {
    log.state(state, why);
  }

  /** Rewinds the run to a batch, after which the next one is written. */
  public void rewind(long batch) {
    next = batch * batchSize;
    log.rewind(batch, next);
    timeline++;
    Arrays.fill(chains, ChainHash.start(MixturePlan.VERSION, run.runId()));
  }

  /** Deletes the topic. */
  public void delete() throws Exception {
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      admin.deleteTopics(List.of(access.topics().stream(run.name()))).all().get();
    }
  }

  /** Makes the run's feedback anew, as a release did that had claims among the reports. */
  public WrittenStream withFeedbackOfAnEarlierRelease() throws Exception {
    String topic = access.topics().feedback(run.name());
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      admin.deleteTopics(List.of(topic)).all().get();
      TestingTopics.make(admin, List.of(new NewTopic(topic, 1, (short) 1)));
    }
    return this;
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
    long ordinal = 1000L * timeline + next;
    chains[partition] =
        ChainHash.next(chains[partition], next, ChainHash.domain(FINGERPRINT, "prose"), 0, ordinal);
    long batch = 1 + next / batchSize;
    StreamHeader header =
        new StreamHeader(
            timeline,
            batch,
            (batch - 1) * batchSize,
            batchSize,
            next,
            1,
            ordinal,
            chains[partition]);
    return new ProducerRecord<>(
        access.topics().stream(run.name()),
        partition,
        batch,
        null,
        WireCodec.encode(block(ordinal)),
        new RecordHeaders().add(StreamHeader.KEY, header.encode()));
  }

  private TokenBlock block(long ordinal) {
    int count = tokens.length / 2;
    tokens[0] = (byte) ordinal;
    tokens[1] = (byte) (ordinal >> 8);
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
