package io.sluice.cli.loop;

import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Records in a corpus that are no documents. */
final class SpoiltCorpus {
  private static final byte[] GARBAGE = "no record".getBytes(StandardCharsets.UTF_8);

  private SpoiltCorpus() {}

  /** Adds so many to a domain's corpus, which may still be made by others. */
  static void spoil(KafkaAccess access, String domain, long records) {
    add(access, domain, GARBAGE, records);
  }

  /** Adds the end marker of another domain, with a name of 2 MiB. */
  static void endAnother(KafkaAccess access, String domain) {
    add(access, domain, WireCodec.encode(new EndOfDomain("x".repeat(2 << 20), 0, 0L)), 1);
  }

  private static void add(KafkaAccess access, String domain, byte[] value, long records) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            access.with(Map.of("acks", "all", "max.request.size", value.length + (1 << 20))),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (long i = 0; i < records; i++) {
        var unused = producer.send(new ProducerRecord<>(access.topics().corpus(domain), value));
      }
    }
  }
}
