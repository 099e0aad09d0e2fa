package io.sluice.refine.twin;

/**
 * Where a document lies: its domain by number, and its place in the domain.
 *
 * @param domain number of the domain, not negative
 * @param offset in the domain, not negative
 */
public record DocumentPlace(int domain, long offset) {
  public DocumentPlace {
    if (domain < 0 || offset < 0) {
      throw new IllegalArgumentException(
          "a document's domain and offset must not be negative: found " + domain + ", " + offset);
    }
  }
}
