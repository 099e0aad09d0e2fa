package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.schema.BlockPlace;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.WireFormatException;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What counts of a record of a stream.
 *
 * @param bytes that it takes of what may be on its way to the broker
 * @param block which block it is; null where readers cannot use it, and take its chain as claimed
 */
record TailRecord(long offset, StreamHeader header, int bytes, @Nullable Block block) {
  /** What a sequence adds to the chain. */
  record Block(long domainHash, int lane, long ordinal) {}

  /**
   * The record of a message.
   *
   * @param domainHashes of the run's domains
   * @throws BrokenRunException if readers stop at it
   */
  static TailRecord of(
      ConsumerRecord<byte[], byte[]> message, Map<String, Long> domainHashes, long fingerprint) {
    Header header = message.headers().lastHeader(StreamHeader.KEY);
    if (header == null || header.value() == null) {
      throw at(message, "the record has no header '" + StreamHeader.KEY + "'");
    }
    try {
      byte[] value = message.value() == null ? new byte[0] : message.value();
      return new TailRecord(
          message.offset(),
          StreamHeader.decode(header.value()),
          header.value().length + value.length,
          block(value, domainHashes, fingerprint));
    } catch (WireFormatException e) {
      throw at(message, String.valueOf(e.getMessage()));
    }
  }

  private static BrokenRunException at(ConsumerRecord<byte[], byte[]> message, String what) {
    return new BrokenRunException(
        "stream partition " + message.partition() + ", offset " + message.offset() + ": " + what);
  }

  private static @Nullable Block block(
      byte[] value, Map<String, Long> domainHashes, long fingerprint) {
    BlockPlace block;
    try {
      block = BlockPlace.of(value);
    } catch (WireFormatException e) {
      return null;
    }
    Long domain = domainHashes.get(block.domain());
    return domain == null || block.fingerprint() != fingerprint
        ? null
        : new Block(domain, block.lane(), block.ordinal());
  }

  int timeline() {
    return header.timeline();
  }

  long index() {
    return header.index();
  }

  /** Whether the chain that it claims follows from the one before it. */
  boolean follows(long chain) {
    return block == null
        || ChainHash.next(chain, index(), block.domainHash(), block.lane(), block.ordinal())
            == header.chain();
  }

  /** Whether its numbers can be those of a sequence of a partition. */
  boolean isSound(int partition, int partitions) {
    return header.batch() >= 1
        && header.firstIndex() >= 0
        && header.index() >= header.firstIndex()
        && header.index() - header.firstIndex() < header.batchSize()
        && header.index() % partitions == partition;
  }
}
