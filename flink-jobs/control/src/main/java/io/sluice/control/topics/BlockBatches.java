package io.sluice.control.topics;

/**
 * How many bytes of one domain's blocks are stored, and so fetched, together. A reader of all
 * domains holds some batches of each, so they are the smaller the more domains there are; and of a
 * batch that a fetch cuts off nothing is of use, so writer and reader must agree.
 */
public final class BlockBatches {
  private static final int ALL_DOMAINS = 32 << 20;
  private static final int LEAST = 16 << 10;
  private static final int MOST = 256 << 10;

  /** One byte for so many of tokens: the headers of blocks and records, so that 2ⁿ blocks fit. */
  private static final int HEADERS = 16;

  private BlockBatches() {}

  /**
   * Bytes of a batch: headers, and from 16 KiB to 256 KiB of tokens; in between, 32 MiB of tokens
   * for one batch of each domain.
   */
  public static int bytes(int domains) {
    int tokens = tokens(domains);
    return tokens + tokens / HEADERS;
  }

  /**
   * Bytes of a fetch of one domain: some whole batches, at least one.
   *
   * @param most bytes of tokens
   */
  public static int fetchBytes(int domains, long most) {
    long batches = Math.max(1, most / tokens(domains));
    return Math.toIntExact(batches * bytes(domains));
  }

  private static int tokens(int domains) {
    return Math.max(LEAST, Math.min(MOST, ALL_DOMAINS / domains));
  }
}
