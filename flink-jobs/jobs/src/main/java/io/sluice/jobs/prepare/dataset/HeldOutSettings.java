package io.sluice.jobs.prepare.dataset;

/**
 * What is held out for evaluation.
 *
 * @param share of documents, in [0, 1)
 * @param tokens of each domain that are held out at least, in [0, {@value #MOST_TOKENS}]: until
 *     then every second document is
 * @param rule version of the {@link HeldOutRule}
 */
public record HeldOutSettings(double share, int tokens, int rule) {
  /** Most tokens of a domain that are held out beyond the share: their documents are remembered. */
  public static final int MOST_TOKENS = 1 << 22;

  /**
   * Checks every range.
   *
   * @throws IllegalArgumentException with the setting's key, its range and the value
   */
  public HeldOutSettings {
    if (!(share >= 0 && share < 1)) {
      throw new IllegalArgumentException("held-out must be in [0, 1): found " + share);
    }
    if (tokens < 0 || tokens > MOST_TOKENS) {
      throw new IllegalArgumentException(
          "held-out-tokens must be in [0, " + MOST_TOKENS + "]: found " + tokens);
    }
    if (rule < HeldOutRule.OF_TEXT || rule > HeldOutRule.NEWEST) {
      throw new IllegalArgumentException(
          "the rule of what is held out must be in [1, "
              + HeldOutRule.NEWEST
              + "]: found "
              + rule
              + "; a newer release has made this dataset");
    }
  }

  /** A share of documents, each of which is held out by all of its text. */
  public HeldOutSettings(double share) {
    this(share, 0, HeldOutRule.OF_TEXT);
  }
}
