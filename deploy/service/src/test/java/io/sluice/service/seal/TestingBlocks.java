package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Blocks in a dataset's topics, each of which is known by its place; in transactions. */
final class TestingBlocks implements AutoCloseable {
  private final KafkaAccess access;
  private final DatasetSpec spec;
  private final Producer<byte[], byte[]> producer;
  private final Map<String, Long> next = new HashMap<>();

  TestingBlocks(KafkaAccess access, DatasetSpec spec) {
    this.access = access;
    this.spec = spec;
    ByteArraySerializer bytes = new ByteArraySerializer();
    this.producer =
        new KafkaProducer<>(access.with(Map.of("transactional.id", "blocks")), bytes, bytes);
    producer.initTransactions();
  }

  /** The block of a place: every third has a mask, and the names of its documents say where. */
  static TokenBlock block(DatasetSpec spec, String domain, int lane, long ordinal) {
    int tokens = spec.getSequenceLength() + 1;
    Random random = new Random((domain + "/" + lane + "/" + ordinal).hashCode());
    ByteBuffer content = ByteBuffer.allocate(2 * tokens).order(ByteOrder.LITTLE_ENDIAN);
    while (content.hasRemaining()) {
      content.putShort((short) random.nextInt());
    }
    int first = 1 + random.nextInt(tokens - 1);
    boolean masked = ordinal % 3 == 2;
    return TokenBlock.newBuilder()
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane(lane)
        .setOrdinal(ordinal)
        .setTokenWidth(2)
        .setTokens(content.flip())
        .setDocumentLengths(List.of(first, tokens - first))
        .setDocumentIds(List.of("doc-" + ordinal, masked ? "" : "doc-" + (ordinal + 1)))
        .setTrainedTokens(masked ? 1 : tokens - 1)
        .setLossMask(masked ? List.of(0, 1, 1) : null)
        .setProducedAtMillis(1_000 + ordinal)
        .build();
  }

  /** Adds blocks to a lane; they are committed together. */
  void add(String domain, int lane, int blocks) {
    producer.beginTransaction();
    send(domain, lane, blocks);
    producer.commitTransaction();
  }

  /** Adds what is never committed. */
  void addAborted(String domain, int lane, int blocks) {
    long before = next(domain, lane);
    producer.beginTransaction();
    send(domain, lane, blocks);
    producer.flush();
    producer.abortTransaction();
    next.put(domain + lane, before);
  }

  private void send(String domain, int lane, int blocks) {
    for (int i = 0; i < blocks; i++) {
      long ordinal = next(domain, lane);
      send(domain, lane, ordinal, WireCodec.encode(block(spec, domain, lane, ordinal)));
      next.put(domain + lane, ordinal + 1);
    }
  }

  /** Ends a lane. */
  void end(String domain, int lane) {
    long size = next(domain, lane);
    producer.beginTransaction();
    send(domain, lane, size, WireCodec.encode(new EndOfDomain(domain, lane, size)));
    producer.commitTransaction();
  }

  private void send(String domain, int lane, long ordinal, byte[] value) {
    String topic = access.topics().blocks(spec.getName(), domain);
    var unused = producer.send(new ProducerRecord<>(topic, lane, ordinal, null, value));
  }

  /** How many blocks a lane has. */
  long next(String domain, int lane) {
    return next.getOrDefault(domain + lane, 0L);
  }

  @Override
  public void close() {
    producer.close();
  }
}
