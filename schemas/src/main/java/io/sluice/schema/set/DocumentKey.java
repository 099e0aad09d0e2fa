package io.sluice.schema.set;

import java.util.Arrays;
import java.util.HexFormat;

/** A document's hash among others, in the order of unsigned bytes. */
@SuppressWarnings("ArrayRecordComponent") // Never changed; compared by content below.
public record DocumentKey(byte[] hash) implements Comparable<DocumentKey> {
  /** The key of a document. */
  public static DocumentKey of(String domain, String id) {
    return new DocumentKey(DocumentHash.of(domain, id));
  }

  @Override
  public int compareTo(DocumentKey other) {
    return Arrays.compareUnsigned(hash, other.hash);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DocumentKey key && Arrays.equals(hash, key.hash);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(hash);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(hash);
  }
}
