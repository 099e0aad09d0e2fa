package io.sluice.lab.reproduce.claim;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where a claim says a difference lies. */
public enum Direction {
  /** Below. */
  LOWER("lower", -1, false),
  /** Above. */
  HIGHER("higher", 1, false),
  /** At most as far above as the least effect: something costs nothing. */
  NOT_HIGHER("not-higher", -1, true),
  /** At most as far below as the least effect: something brings nothing. */
  NOT_LOWER("not-lower", 1, true);

  private final String key;
  private final int sign;
  private final boolean marginal;

  Direction(String key, int sign, boolean marginal) {
    this.key = key;
    this.sign = sign;
    this.marginal = marginal;
  }

  /** Its name in files. */
  public String key() {
    return key;
  }

  /** Whether the claim holds with no difference at all, so that the least effect is its margin. */
  public boolean isMarginal() {
    return marginal;
  }

  /** A difference as a distance from what would not be as claimed: above 0 if it is. */
  double favour(double difference, double leastEffect) {
    return sign * difference + (marginal ? leastEffect : 0);
  }

  boolean isDown() {
    return sign < 0;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(Direction::key).toList();
  }

  static Optional<Direction> find(String key) {
    return Arrays.stream(values()).filter(each -> each.key.equals(key)).findFirst();
  }
}
