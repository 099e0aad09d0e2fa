package io.sluice.refine.synthesis;

import com.dynatrace.hash4j.hashing.Hashing;
import java.time.Duration;
import java.util.Optional;

/**
 * How often a request is asked before it is given up, and how long the pauses between are: twice as
 * long each time, of which a part that the seed, the request and the attempt say, so that requests
 * that failed together do not come back together.
 *
 * @param most attempts, from 1 to 100
 * @param first longest first pause
 * @param longest pause
 */
public record Tries(int most, Duration first, Duration longest, long seed) {
  private static final int MOST = 100;
  private static final int DOUBLINGS = 30;

  /** Checks the ranges. */
  public Tries {
    if (most < 1 || most > MOST) {
      throw new IllegalArgumentException("--tries must be from 1 to " + MOST + ": " + most);
    }
    if (first.isNegative() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException("the longest pause must be at least the first");
    }
  }

  /** Pauses of up to a second at first and a minute at last. */
  public static Tries usual(int most, long seed) {
    return new Tries(most, Duration.ofSeconds(1), Duration.ofMinutes(1), seed);
  }

  /**
   * The pause after an attempt, which is as long as the endpoint wants it at least.
   *
   * @param attempt from 1
   * @return empty if that was the last attempt, or nobody waits for as long
   */
  Optional<Duration> pause(RequestKey key, int attempt, Reply.Failed failed) {
    Duration wanted = failed.after().orElse(Duration.ZERO);
    if (attempt >= most || failed.wantsLong()) {
      return Optional.empty();
    }
    long hash =
        Hashing.komihash5_0()
            .hashStream()
            .putLong(seed)
            .putString(key.hex())
            .putInt(attempt)
            .getAsLong();
    double share = .5 + (hash >>> 11) * 0x1p-54;
    double seconds = first.toMillis() / 1e3 * Math.scalb(share, Math.min(attempt - 1, DOUBLINGS));
    double bound = longest.toMillis() / 1e3;
    Duration pause = Duration.ofMillis((long) (1e3 * Math.min(seconds, bound)));
    return Optional.of(pause.compareTo(wanted) < 0 ? wanted : pause);
  }
}
