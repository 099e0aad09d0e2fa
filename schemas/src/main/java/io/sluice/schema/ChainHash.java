package io.sluice.schema;

import java.nio.charset.StandardCharsets;

/**
 * Running 64-bit hash of the blocks of one stream partition: two writers that disagree about any
 * block so far disagree about the chain. Not cryptographic.
 *
 * <p>Version 1, all arithmetic modulo 2^64:
 *
 * <pre>
 *   mix(z)    z = (z ^ z>>>30) * BF58476D1CE4E5B9;  z = (z ^ z>>>27) * 94D049BB133111EB;  z ^ z>>>31
 *   domain    FNV-1a, 64 bits, over the name's UTF-8 bytes
 *   block     mix(mix(fingerprint + domain) + lane * 2^48 + ordinal)
 *   chain     next = mix(chain * 9E3779B97F4A7C15 + mix(index) + block)
 * </pre>
 *
 * <p>It begins with the run's id, so that no other run's stream continues it; in runs of plan
 * version 1, with 0.
 */
public final class ChainHash {
  /** Chain before the first sequence of a partition, in runs of plan version 1. */
  public static final long START = 0;

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Where {@link #fnv} begins. */
  public static final long FNV_OFFSET = 0xCBF29CE484222325L;

  private static final long FNV_PRIME = 0x100000001B3L;

  private ChainHash() {}

  /**
   * Chain before the first sequence of a partition in a timeline.
   *
   * @param planVersion of the run, at least 1
   */
  public static long start(int planVersion, String runId) {
    return planVersion == 1 ? START : fnv(FNV_OFFSET, runId.getBytes(StandardCharsets.UTF_8));
  }

  /** Identity of a domain's blocks in a lane; compute once and pass to {@link #next}. */
  public static long domain(long fingerprint, String name) {
    return mix(fingerprint + fnv(FNV_OFFSET, name.getBytes(StandardCharsets.UTF_8)));
  }

  /** FNV-1a, 64 bits, of more bytes. */
  public static long fnv(long hash, byte[] bytes) {
    for (byte b : bytes) {
      hash = (hash ^ (b & 0xFF)) * FNV_PRIME;
    }
    return hash;
  }

  /**
   * Chain after one more sequence.
   *
   * @param chain chain so far
   * @param index global index of the sequence
   * @param domain from {@link #domain}
   * @param ordinal the block's own ordinal in its lane (not counting epochs)
   */
  public static long next(long chain, long index, long domain, int lane, long ordinal) {
    long block = mix(domain + ((long) lane << 48) + ordinal);
    return mix(chain * GOLDEN + mix(index) + block);
  }

  /** SplitMix64's finalizer. */
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
