package io.sluice.cli.trainer;

import io.sluice.client.RunInfo;
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
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The stream of a run that no job has mixed: blocks of one domain, batch after batch. */
final class WrittenStream {
  private static final int PARTITIONS = 4;
  private static final long FINGERPRINT = 42;

  private WrittenStream() {}

  /** Writes batches of u16 blocks. */
  static RunInfo write(
      KafkaAccess access, String name, int sequenceLength, int batchSize, long batches)
      throws Exception {
    RunInfo run = new RunInfo(name + "-1", spec(name, sequenceLength, batchSize));
    String topic = access.topics().stream(name);
    try (Admin admin = Admin.create(access.with(Map.of()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, PARTITIONS, (short) 1),
                  new NewTopic(access.topics().control(), 1, (short) 1),
                  new NewTopic(access.topics().feedback(name), 1, (short) 1)))
          .all()
          .get();
    }
    Map<String, String> settings = Map.of("linger.ms", "20", "batch.size", "1000000");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(settings), new ByteArraySerializer(), new ByteArraySerializer())) {
      RunStarted started = new RunStarted(run.spec(), 1, "", List.of(0L), null);
      producer.send(
          new ProducerRecord<>(
              access.topics().control(),
              WireCodec.encode(
                  new ControlRecord(run.runId(), 0, 0L, -1L, "test", 0L, "", started))));
      write(producer, topic, sequenceLength, batchSize, batches);
    }
    return run;
  }

  private static void write(
      KafkaProducer<byte[], byte[]> producer,
      String topic,
      int sequenceLength,
      int batchSize,
      long batches) {
    Random random = new Random(1);
    long[] chains = new long[PARTITIONS];
    Arrays.fill(chains, ChainHash.START);
    byte[] tokens = new byte[2 * (sequenceLength + 1)];
    random.nextBytes(tokens);
    for (long index = 0; index < batches * batchSize; index++) {
      int partition = (int) (index % PARTITIONS);
      chains[partition] =
          ChainHash.next(
              chains[partition], index, ChainHash.domain(FINGERPRINT, "prose"), 0, index);
      long batch = 1 + index / batchSize;
      StreamHeader header =
          new StreamHeader(
              0, batch, (batch - 1) * batchSize, batchSize, index, 1, index, chains[partition]);
      byte[] block = WireCodec.encode(block(index, tokens));
      producer.send(
          new ProducerRecord<>(
              topic,
              partition,
              batch,
              null,
              block,
              new RecordHeaders().add(StreamHeader.KEY, header.encode())));
    }
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
