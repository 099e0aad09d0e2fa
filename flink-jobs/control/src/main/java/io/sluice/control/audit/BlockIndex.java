package io.sluice.control.audit;

import io.sluice.control.digest.RowHashes;
import io.sluice.control.history.TopicScan;
import io.sluice.control.topics.DatasetCatalog;
import io.sluice.schema.ChainHash;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.BlockRows;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Fingerprints of every training block of a dataset, by domain, lane and ordinal. */
final class BlockIndex implements RowHashes, BlockOrders.Sizes {
  private final Map<String, String> domains = new HashMap<>();
  private final Map<Part, Blocks> parts = new HashMap<>();

  /** A lane's part of a domain. */
  private record Part(String domain, int lane) {}

  /** The blocks of a part so far. */
  private static final class Blocks {
    private long[] hashes = new long[1024];
    private long[] rows = new long[1024];
    private final BitSet purged = new BitSet();
    private int size;
    private boolean ended;

    void add(long hash, long row, boolean isPurged) {
      if (size == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * size);
        rows = Arrays.copyOf(rows, 2 * size);
      }
      purged.set(size, isPurged);
      rows[size] = row;
      hashes[size++] = hash;
    }
  }

  private final BlockRows rows;
  private final OptionalInt padding;

  private BlockIndex(BlockRows rows, OptionalInt padding) {
    this.rows = rows;
    this.padding = padding;
  }

  /**
   * Reads the blocks of a run's domains.
   *
   * @param domains all that it had
   */
  static BlockIndex read(
      KafkaAccess access, RunSpec run, Collection<String> domains, Violations violations) {
    String dataset = run.getDataset();
    OptionalInt padding =
        new DatasetCatalog(access)
            .find(dataset).stream()
                .filter(spec -> spec.getFingerprint() == run.getFingerprint())
                .mapToInt(DatasetSpec::getPadding)
                .findFirst();
    BlockIndex index = new BlockIndex(new BlockRows(run), padding);
    for (String domain : domains) {
      index.domains.put(access.topics().blocks(dataset, domain), domain);
    }
    new TopicScan(access)
        .read(List.copyOf(index.domains.keySet()), message -> index.add(message, violations));
    return index;
  }

  private void add(ConsumerRecord<byte[], byte[]> message, Violations violations) {
    String domain = Objects.requireNonNull(domains.get(message.topic()));
    Blocks blocks = part(domain, message.partition());
    if (message.timestamp() != blocks.size || blocks.ended) {
      violations.add(
          "supply",
          "%s: ordinals must be dense up to the end marker: %d after %d",
          message.topic(),
          message.timestamp(),
          blocks.size - 1);
    }
    if (WireCodec.isOf(EndOfDomain.class, ByteBuffer.wrap(message.value()))) {
      blocks.ended = true;
    } else {
      BlockRows.Row row = rows.of(domain, message.value());
      boolean purged = padding.isPresent() && rows.isFilled(row, padding.getAsInt());
      blocks.add(hash(message.value()), row.side().hash(), purged);
    }
  }

  private Blocks part(String domain, int lane) {
    return parts.computeIfAbsent(new Part(domain, lane), part -> new Blocks());
  }

  @Override
  public OptionalLong size(String domain, int lane) {
    Blocks blocks = part(domain, lane);
    return blocks.ended ? OptionalLong.of(blocks.size) : OptionalLong.empty();
  }

  /** Streams are held against all blocks, and say themselves which are not there. */
  @Override
  public boolean isNamed(String domain, int lane, long block) {
    return true;
  }

  @Override
  public boolean has(String domain, int lane, long block) {
    return block < part(domain, lane).size;
  }

  @Override
  public long hash(String domain, int lane, long block) {
    return part(domain, lane).rows[(int) block];
  }

  @Override
  public boolean isPurged(String domain, int lane, long block) {
    return part(domain, lane).purged.get((int) block);
  }

  /** Whether these bytes are that block's. */
  boolean holds(String domain, int lane, long ordinal, byte[] value) {
    Blocks blocks = part(domain, lane);
    return ordinal < blocks.size && blocks.hashes[(int) ordinal] == hash(value);
  }

  /** FNV-1a over eight bytes at a time would miss the tail; one at a time is fast enough here. */
  private static long hash(byte[] value) {
    return ChainHash.fnv(ChainHash.FNV_OFFSET, value);
  }
}
