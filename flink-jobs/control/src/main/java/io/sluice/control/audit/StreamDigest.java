package io.sluice.control.audit;

import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.avro.Schema;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.avro.specific.SpecificData;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * SHA-256 of a stream: of each partition over timestamp, header and block of its accepted records
 * in order, then over the partitions' digests in order. Blocks are taken as the first of their
 * schemas has them, whichever wrote them. When they were made is not in it, nor the run's id, with
 * which chains begin, so the same documents prepared again and mixed by another run, by another
 * release too, give the same digest.
 */
final class StreamDigest {
  /** Later schemas only append fields, so a block's first ones lie where this one has them. */
  private static final BinaryMessageEncoder<TokenBlock> AS_AT_FIRST =
      new BinaryMessageEncoder<>(SpecificData.get(), first());

  private final MessageDigest[] partitions;

  StreamDigest(int partitions) {
    this.partitions = new MessageDigest[partitions];
    for (int p = 0; p < partitions; p++) {
      this.partitions[p] = sha256();
    }
  }

  private static Schema first() {
    return WireCodec.schemas(TokenBlock.class).get(1);
  }

  /**
   * Takes the next record of a partition.
   *
   * @param chain as it would be if it had begun with 0
   */
  void add(ConsumerRecord<byte[], byte[]> message, long chain) {
    MessageDigest digest = partitions[message.partition()];
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(message.timestamp()).flip());
    byte[] header = message.headers().lastHeader(StreamHeader.KEY).value();
    digest.update(header, 0, header.length - Long.BYTES);
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(chain).flip());
    digest.update(content(message.value()));
  }

  private static byte[] content(byte[] value) {
    try {
      return AS_AT_FIRST.encode(WireCodec.decode(TokenBlock.class, value)).array();
    } catch (WireFormatException e) {
      return value; // Whatever it is, it is the same or not.
    } catch (IOException e) {
      throw new IllegalStateException("a block that was read can be written", e);
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
