package io.sluice.jobs.prepare.shuffle;

import io.sluice.schema.ChainHash;
import io.sluice.schema.DatasetSpec;
import java.util.Optional;

/**
 * A bounded buffer that hands documents back in a seeded order: once it is full, each arrival
 * releases one of the documents inside and takes its slot. Slots 0 to size - 1 are in use. It can
 * be drained at any time and go on.
 *
 * <p>Version 1: pick number p (from 0) of a buffer with n documents takes slot {@code floor(n *
 * (mix(ChainHash.domain(seed, name) + p) >>> 33) / 2^31)}, where {@code mix} is {@link
 * ChainHash#mix}. While draining, the last document moves into the slot that was taken. So the
 * order is a function of the seed, the domain, the capacity and the order of arrival; capacity 1
 * keeps the order.
 */
final class ShuffleBuffer implements Shuffle {
  private final long stream;
  private final int capacity;
  private final Slots slots;
  private int size;
  private long picks;

  /**
   * A buffer that goes on where another stopped; 0 and 0 for a new one.
   *
   * @param slots hold {@code size} documents
   */
  ShuffleBuffer(DatasetSpec spec, String domain, Slots slots, int size, long picks) {
    this.stream = ChainHash.domain(spec.getSeed(), domain);
    this.capacity = spec.getShuffleBuffer();
    this.slots = slots;
    this.size = size;
    this.picks = picks;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long picks() {
    return picks;
  }

  /** Takes a document in; gives one back once the buffer is full. */
  @Override
  public Optional<byte[]> exchange(byte[] document) {
    if (size < capacity) {
      slots.put(size++, document);
      return Optional.empty();
    }
    int slot = pick();
    byte[] released = slots.get(slot);
    slots.put(slot, document);
    return Optional.of(released);
  }

  @Override
  public Optional<byte[]> drain() {
    if (size == 0) {
      return Optional.empty();
    }
    int slot = pick();
    byte[] released = slots.get(slot);
    int last = --size;
    if (slot != last) {
      slots.put(slot, slots.get(last));
    }
    slots.remove(last);
    return Optional.of(released);
  }

  private int pick() {
    long random = ChainHash.mix(stream + picks++) >>> 33;
    return (int) ((size * random) >>> 31);
  }
}
