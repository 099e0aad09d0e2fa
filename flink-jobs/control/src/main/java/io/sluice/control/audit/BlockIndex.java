package io.sluice.control.audit;

import io.sluice.control.history.TopicScan;
import io.sluice.schema.ChainHash;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A fingerprint of every training block of a dataset, by domain, lane and ordinal. */
final class BlockIndex {
  private final Map<String, String> domains = new HashMap<>();
  private final Map<Part, Blocks> parts = new HashMap<>();

  /** A lane's part of a domain. */
  private record Part(String domain, int lane) {}

  /** The blocks of a part so far. */
  private static final class Blocks {
    private long[] hashes = new long[1024];
    private int size;
    private boolean ended;

    void add(long hash) {
      if (size == hashes.length) {
        hashes = Arrays.copyOf(hashes, 2 * size);
      }
      hashes[size++] = hash;
    }
  }

  static BlockIndex read(
      KafkaAccess access, String dataset, Collection<String> domains, Violations violations) {
    BlockIndex index = new BlockIndex();
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
      blocks.add(hash(message.value()));
    }
  }

  private Blocks part(String domain, int lane) {
    return parts.computeIfAbsent(new Part(domain, lane), part -> new Blocks());
  }

  /** Blocks of a lane's part of a domain; empty while it may still grow. */
  OptionalLong size(String domain, int lane) {
    Blocks blocks = part(domain, lane);
    return blocks.ended ? OptionalLong.of(blocks.size) : OptionalLong.empty();
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
