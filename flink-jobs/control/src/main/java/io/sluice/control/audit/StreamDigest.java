package io.sluice.control.audit;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * SHA-256 of a stream: of each partition over timestamp, header and block of its accepted records
 * in order, then over the partitions' digests in order. When a block was made is left out, and so
 * is the schema that it was written with: the same documents prepared again give the same digest.
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
    digest.update(content(message.value()));
  }

  private static byte[] content(byte[] value) {
    try {
      TokenBlock block = WireCodec.decode(TokenBlock.class, value);
      block.setProducedAtMillis(0);
      return WireCodec.encode(block);
    } catch (WireFormatException e) {
      return value; // Whatever it is, it is the same or not.
    }
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
