package io.sluice.control.audit;

import io.sluice.schema.StreamHeader;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * SHA-256 of a stream: of each partition over timestamp, header and value of its accepted records
 * in order, then over the partitions' digests in order.
 */
final class StreamDigest {
  private final MessageDigest[] partitions;

  StreamDigest(int partitions) {
    this.partitions = new MessageDigest[partitions];
    for (int p = 0; p < partitions; p++) {
      this.partitions[p] = sha256();
    }
  }

  void add(ConsumerRecord<byte[], byte[]> message) {
    MessageDigest digest = partitions[message.partition()];
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(message.timestamp()).flip());
    digest.update(message.headers().lastHeader(StreamHeader.KEY).value());
    digest.update(message.value());
  }

  /** The digest of everything added; ends this object's use. */
  String hex() {
    MessageDigest whole = sha256();
    for (MessageDigest partition : partitions) {
      whole.update(partition.digest());
    }
    return HexFormat.of().formatHex(whole.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
