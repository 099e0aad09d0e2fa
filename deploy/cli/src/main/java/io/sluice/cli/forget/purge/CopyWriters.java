package io.sluice.cli.forget.purge;

import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Two producers: one of records, and one of transactions. */
record CopyWriters(Producer<byte[], byte[]> plain, Producer<byte[], byte[]> marked)
    implements AutoCloseable {
  /**
   * Producers that end what an earlier process of this name has left open.
   *
   * @param name of the transactions
   * @param own further settings of both, such as the size of a batch
   */
  static CopyWriters open(KafkaAccess access, String name, Map<String, ?> own) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("acks", "all");
    settings.put("enable.idempotence", true);
    settings.put("linger.ms", 20);
    settings.put("buffer.memory", 128L << 20);
    settings.put("max.request.size", 65 << 20);
    settings.putAll(own);
    ByteArraySerializer bytes = new ByteArraySerializer();
    Producer<byte[], byte[]> plain = new KafkaProducer<>(access.with(settings), bytes, bytes);
    settings.put("transactional.id", name);
    Producer<byte[], byte[]> marked = new KafkaProducer<>(access.with(settings), bytes, bytes);
    marked.initTransactions();
    return new CopyWriters(plain, marked);
  }

  @Override
  public void close() {
    plain.close();
    marked.close();
  }
}
