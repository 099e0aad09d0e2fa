package io.sluice.control.supply;

/** A lane's part of a domain. */
record LanePart(String domain, int lane) {
  private static final int MOST_LANES = 64;

  /**
   * The part that a record is of.
   *
   * @param what the record is, for messages
   * @throws IllegalArgumentException if there is no such lane
   */
  static LanePart of(String what, String domain, int lane) {
    if (lane < 0 || lane >= MOST_LANES) {
      throw new IllegalArgumentException(
          what + " lane must be in [0, " + (MOST_LANES - 1) + "]: " + lane + " of " + domain);
    }
    return new LanePart(domain, lane);
  }
}
