package io.sluice.lab.reproduce.claim;

import java.math.BigDecimal;
import java.util.List;
import java.util.OptionalDouble;

/**
 * One thing that a paper says, in a form that runs can show or refute.
 *
 * @param where table, figure or section of the paper
 * @param says what it says, in one sentence
 * @param experiment whose arms are compared
 * @param of arm that the claim is about
 * @param measure of both arms, at the end of a run
 * @param leastEffect above 0, in the measure's unit: a smaller difference is none that matters
 */
public record Claim(
    String id,
    Paper paper,
    String where,
    String says,
    String experiment,
    String of,
    String measure,
    Direction direction,
    Comparison comparison,
    double leastEffect) {
  /** Checks the least effect. */
  public Claim {
    if (!(leastEffect > 0) || !Double.isFinite(leastEffect)) {
      throw new IllegalArgumentException("least effect must be above 0: " + leastEffect);
    }
  }

  /** The arms that are compared: one alone where it is with a number. */
  List<String> arms() {
    if (comparison instanceof Comparison.Against against) {
      return List.of(of, against.arm());
    }
    return comparison instanceof Comparison.Ratio ratio ? List.of(of, ratio.arm()) : List.of(of);
  }

  /** What is tested, in words, such as {@code velocitune below proportional in test_loss/mean}. */
  public String tested() {
    String side = direction.isDown() ? "below" : "above";
    if (direction.isMarginal()) {
      side = direction.isDown() ? "not above" : "not below";
    }
    String other;
    if (comparison instanceof Comparison.Ratio ratio) {
      other = ratio.arm() + (direction.isDown() ? " / " : " × ") + number(ratio.ratio());
    } else if (comparison instanceof Comparison.Against against) {
      other = against.arm();
    } else {
      other = number(((Comparison.Threshold) comparison).value());
    }
    return of + " " + side + " " + other + " in " + measure;
  }

  /** The difference that is tested, in words, such as {@code 1.5 × velocitune − proportional}. */
  public String difference() {
    if (comparison instanceof Comparison.Against against) {
      return of + " − " + against.arm();
    }
    if (comparison instanceof Comparison.Ratio ratio) {
      return direction.isDown()
          ? number(ratio.ratio()) + " × " + of + " − " + ratio.arm()
          : of + " − " + number(ratio.ratio()) + " × " + ratio.arm();
    }
    return of + " − " + number(((Comparison.Threshold) comparison).value());
  }

  private static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  /**
   * The difference of one seed, in the measure's unit. A factor is tested as a difference, too:
   * that a ratio of means is beyond r is that mean(a) - r·mean(b) is beyond 0 (Fieller, <i>Some
   * problems in interval estimation</i>, JRSS B 16, 1954), which needs no logarithm and holds at 0.
   *
   * @param value of the claim's arm
   * @param other of the arm that it is compared with; empty of a threshold
   */
  double difference(double value, OptionalDouble other) {
    if (comparison instanceof Comparison.Threshold threshold) {
      return value - threshold.value();
    }
    if (comparison instanceof Comparison.Ratio ratio) {
      return direction.isDown()
          ? ratio.ratio() * value - other.orElseThrow()
          : value - ratio.ratio() * other.orElseThrow();
    }
    return value - other.orElseThrow();
  }
}
