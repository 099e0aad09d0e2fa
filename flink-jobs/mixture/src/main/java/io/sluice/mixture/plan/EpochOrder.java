package io.sluice.mixture.plan;

import java.util.Arrays;

/**
 * The order in which a run reads the blocks of a domain.
 *
 * <p>A run counts a domain's blocks by ordinals 0, 1, 2, … through all epochs. In the first epoch
 * ordinal and block agree. In a later one, the domain's chunks of 64 consecutive blocks come in a
 * shuffled order, and each chunk's blocks in a shuffled order of their own: a domain of up to 64
 * blocks is shuffled as a whole, a larger one is read with one seek per chunk. Each lane's part of
 * a domain has epochs of its own. Where blocks lie in files as others wrote them, nobody has
 * shuffled them: then the first epoch has such an order, too.
 */
public final class EpochOrder {
  /** Blocks that are read together. */
  public static final int CHUNK = 64;

  /** The first epoch of a domain whose size need not be known. */
  private static final long ENDLESS = Long.MAX_VALUE;

  private final long seed;
  private final long domain;
  private final long size;
  private final boolean shuffled;
  private long cachedEpoch = -1;
  private int[] chunkOrder = {};

  private EpochOrder(long seed, int domain, int lane, long size, boolean shuffled) {
    this.seed = seed;
    // Lane 0 has the key of a dataset with one lane.
    this.domain = domain | (long) lane << Integer.SIZE;
    this.size = size;
    this.shuffled = shuffled;
  }

  /** Order of a lane's part of a domain that has ended with {@code size} blocks. */
  public static EpochOrder ended(long seed, int domain, int lane, long size) {
    return ended(seed, domain, lane, size, true);
  }

  /** The same where nobody has shuffled the blocks. */
  public static EpochOrder inPlace(long seed, int domain, int lane, long size) {
    return ended(seed, domain, lane, size, false);
  }

  private static EpochOrder ended(long seed, int domain, int lane, long size, boolean shuffled) {
    if (size < 1) {
      throw new IllegalArgumentException("an epoch must have at least 1 block: " + size);
    }
    return new EpochOrder(seed, domain, lane, size, shuffled);
  }

  /** Order of a domain that still grows: its first epoch has no end. */
  public static EpochOrder growing(long seed, int domain) {
    return new EpochOrder(seed, domain, 0, ENDLESS, true);
  }

  /**
   * Ordinals that stand for one chunk of blocks: ordinal {@code firstOrdinal + i} is block {@code
   * firstBlock + order[i]}.
   */
  public record Chunk(long firstOrdinal, long firstBlock, int[] order) {
    /** The block that an ordinal of this chunk stands for. */
    public long blockAt(long ordinal) {
      return firstBlock + order[Math.toIntExact(ordinal - firstOrdinal)];
    }

    /** The ordinal after this chunk. */
    public long end() {
      return firstOrdinal + order.length;
    }
  }

  /** How often the whole domain has been read before this ordinal. */
  public long epochOf(long ordinal) {
    return ordinal / size;
  }

  /** The chunk that holds an ordinal. Not thread-safe: one epoch's chunk order is kept. */
  public Chunk chunkAt(long ordinal) {
    long epoch = epochOf(ordinal);
    long position = ordinal % size;
    if (epoch == 0 && shuffled) {
      long first = position - position % CHUNK;
      int[] identity = new int[(int) Math.min(CHUNK, size - first)];
      Arrays.setAll(identity, i -> i);
      return new Chunk(first, first, identity);
    }
    int[] chunks = chunksOf(epoch);
    int last = chunks.length - 1;
    int lastLength = (int) (size - (long) last * CHUNK);
    int lastPlace = 0;
    while (chunks[lastPlace] != last) {
      lastPlace++;
    }
    long lastStart = (long) lastPlace * CHUNK;
    int place;
    long start;
    if (position < lastStart) {
      place = (int) (position / CHUNK);
      start = (long) place * CHUNK;
    } else if (position < lastStart + lastLength) {
      place = lastPlace;
      start = lastStart;
    } else {
      long after = position - lastLength;
      place = (int) (after / CHUNK) + 1;
      start = after - after % CHUNK + lastLength;
    }
    int chunk = chunks[place];
    int[] order = new int[chunk == last ? lastLength : CHUNK];
    Arrays.setAll(order, i -> i);
    SplitMix.keyed(seed, domain, epoch, chunk + 1L).shuffle(order);
    return new Chunk(epoch * size + start, (long) chunk * CHUNK, order);
  }

  private int[] chunksOf(long epoch) {
    if (epoch != cachedEpoch) {
      chunkOrder = new int[Math.toIntExact((size + CHUNK - 1) / CHUNK)];
      Arrays.setAll(chunkOrder, i -> i);
      SplitMix.keyed(seed, domain, epoch, 0).shuffle(chunkOrder);
      cachedEpoch = epoch;
    }
    return chunkOrder;
  }
}
