package io.sluice.jobs.mix.fetch;

import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Objects;

/**
 * What the kept blocks take of the heap. A block as it was read is a part of the fetch that brought
 * it, all of which it keeps alive: that costs no copy, and nothing when the blocks of a fetch are
 * used up together. A block that is to stay for longer is copied.
 *
 * <p>Not thread-safe: {@link FetchMonitor} guards it.
 */
// A fetch is known by its array; no byte is read through it.
@SuppressWarnings("ByteBufferBackingArray")
final class BlockMemory {
  private final long most;
  private final IdentityHashMap<byte[], int[]> fetches = new IdentityHashMap<>();
  private long used;

  /**
   * @param most bytes that blocks may take together with the fetches that they keep alive; copies
   *     are always made
   */
  BlockMemory(long most) {
    this.most = most;
  }

  /**
   * Keeps a block.
   *
   * @param soon whether it is used up about as soon as the others of its fetch
   * @return what to keep; give it to {@link #drop} as often as it was kept
   */
  ByteBuffer keep(ByteBuffer block, boolean soon) {
    byte[] fetch = block.array();
    if (isAlone(block)) {
      used += fetch.length;
      return block;
    }
    int[] kept = fetches.get(fetch);
    if (kept == null && soon && used + fetch.length <= most) {
      kept = new int[1];
      fetches.put(fetch, kept);
      used += fetch.length;
    }
    if (kept == null || !soon) {
      byte[] copy = new byte[block.remaining()];
      block.get(block.position(), copy);
      used += copy.length;
      return ByteBuffer.wrap(copy);
    }
    kept[0]++;
    return block;
  }

  /** Lets go of a block that was kept. */
  void drop(ByteBuffer kept) {
    byte[] fetch = kept.array();
    if (isAlone(kept)) {
      used -= fetch.length;
      return;
    }
    int[] left = Objects.requireNonNull(fetches.get(fetch), "the block was not kept");
    if (--left[0] == 0) {
      fetches.remove(fetch);
      used -= fetch.length;
    }
  }

  /** Whether it has most of its array for itself: a copy, or out of a compressed batch. */
  private static boolean isAlone(ByteBuffer block) {
    return block.array().length <= 2 * block.remaining();
  }

  /** Bytes of the kept blocks, and of all else that their fetches brought. */
  long used() {
    return used;
  }
}
