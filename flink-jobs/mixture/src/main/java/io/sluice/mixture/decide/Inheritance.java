package io.sluice.mixture.decide;

/**
 * A domain that takes over a part of another one's weight, as one that was split from it does.
 *
 * @param domain that gets it
 * @param parent that is taken out
 * @param share of the parent's weight, in (0, 1]
 */
public record Inheritance(String domain, String parent, double share) {
  /** Checks the range. */
  public Inheritance {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share of " + domain + " in the weight of " + parent + " must be in (0, 1]: " + share);
    }
  }
}
