package io.sluice.schema.set;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Documents of one domain by their {@link DocumentHash}es, which ascend as unsigned bytes, each
 * once. Immutable.
 */
public final class DocumentKeys {
  private static final int BYTES = DocumentHash.BYTES;

  /** No document. */
  public static final DocumentKeys NONE = new DocumentKeys(new byte[0]);

  private final byte[] hashes;

  private DocumentKeys(byte[] hashes) {
    this.hashes = hashes;
  }

  /** Documents that ascend, each once. */
  static DocumentKeys of(List<DocumentKey> keys) {
    ByteBuffer joined = ByteBuffer.allocate(keys.size() * BYTES);
    keys.forEach(key -> joined.put(key.hash()));
    return new DocumentKeys(joined.array());
  }

  /**
   * Those of a record, whose bytes stay where they are.
   *
   * @throws IllegalArgumentException naming what is wrong, if they are none, more than a set may
   *     have, not whole, or do not ascend
   */
  public static DocumentKeys of(String domain, ByteBuffer record) {
    byte[] hashes = new byte[record.remaining()];
    record.duplicate().get(hashes);
    if (hashes.length == 0 || hashes.length % BYTES != 0) {
      throw new IllegalArgumentException(
          "hashes of domain "
              + domain
              + " must be whole ones of "
              + BYTES
              + " bytes: "
              + hashes.length
              + " bytes");
    }
    DocumentKeys keys = new DocumentKeys(hashes);
    if (keys.size() > DocumentHashes.MOST) {
      throw new IllegalArgumentException(
          "a set must have 1 to " + DocumentHashes.MOST + " documents: " + keys.size());
    }
    for (int at = BYTES; at < hashes.length; at += BYTES) {
      if (keys.order(keys, at - BYTES, at) >= 0) {
        throw new IllegalArgumentException(
            "hashes of domain "
                + domain
                + " must ascend: those of documents "
                + (at / BYTES - 1)
                + " and "
                + at / BYTES
                + " do not");
      }
    }
    return keys;
  }

  /** Documents. */
  public int size() {
    return hashes.length / BYTES;
  }

  /** Whether a document of the domain is among them. */
  public boolean contains(String domain, String id) {
    return hashes.length > 0 && contains(DocumentHash.of(domain, id));
  }

  /** Whether one of the hashes begins so. */
  boolean contains(byte[] wanted) {
    int low = 0;
    int high = size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      int at = middle * BYTES;
      int order = Arrays.compareUnsigned(hashes, at, at + wanted.length, wanted, 0, wanted.length);
      if (order == 0) {
        return true;
      }
      low = order < 0 ? middle + 1 : low;
      high = order < 0 ? high : middle;
    }
    return false;
  }

  /** These and others together. */
  public DocumentKeys with(DocumentKeys others) {
    ByteBuffer both = ByteBuffer.allocate(hashes.length + others.hashes.length);
    int theirs = 0;
    for (int at = 0; at < hashes.length; at += BYTES) {
      int order = 1;
      while (theirs < others.hashes.length && (order = order(others, theirs, at)) < 0) {
        both.put(others.hashes, theirs, BYTES);
        theirs += BYTES;
      }
      theirs += theirs < others.hashes.length && order == 0 ? BYTES : 0;
      both.put(hashes, at, BYTES);
    }
    both.put(others.hashes, theirs, others.hashes.length - theirs);
    return new DocumentKeys(Arrays.copyOf(both.array(), both.position()));
  }

  /** These but for others. */
  public DocumentKeys without(DocumentKeys others) {
    ByteBuffer left = ByteBuffer.allocate(hashes.length);
    for (int at = 0; at < hashes.length; at += BYTES) {
      if (!others.contains(Arrays.copyOfRange(hashes, at, at + BYTES))) {
        left.put(hashes, at, BYTES);
      }
    }
    return new DocumentKeys(Arrays.copyOf(left.array(), left.position()));
  }

  /** The same in parts, of as many as a set may have. */
  public List<DocumentKeys> parts() {
    List<DocumentKeys> parts = new ArrayList<>();
    int most = DocumentHashes.MOST * BYTES;
    for (int at = 0; at < hashes.length; at += most) {
      int end = Math.min(hashes.length, at + most);
      parts.add(new DocumentKeys(Arrays.copyOfRange(hashes, at, end)));
    }
    return parts;
  }

  /** Each of them. */
  List<DocumentKey> all() {
    List<DocumentKey> all = new ArrayList<>();
    for (int at = 0; at < hashes.length; at += BYTES) {
      all.add(new DocumentKey(Arrays.copyOfRange(hashes, at, at + BYTES)));
    }
    return all;
  }

  /** Their hashes, one behind the other. */
  public ByteBuffer bytes() {
    return ByteBuffer.wrap(hashes.clone());
  }

  private int order(DocumentKeys others, int theirs, int ours) {
    return Arrays.compareUnsigned(
        others.hashes, theirs, theirs + BYTES, hashes, ours, ours + BYTES);
  }
}
