package io.sluice.schema.set;

import io.sluice.schema.DocumentSet;
import io.sluice.schema.DomainDocuments;
import io.sluice.schema.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A set of documents, known by the digest of its content: whoever has the name can tell whether
 * what it was given is the set. One set is one record; more documents are several sets. Immutable.
 */
public final class DocumentHashes {
  /** Most documents of a set, so that it fits in a record. */
  public static final int MOST = 50_000;

  private final NavigableMap<String, byte[]> byDomain;
  private final int size;
  private final String name;

  private DocumentHashes(NavigableMap<String, byte[]> byDomain) {
    this.byDomain = byDomain;
    this.size = byDomain.values().stream().mapToInt(hashes -> hashes.length).sum() / BYTES;
    this.name = digest(byDomain);
  }

  private static final int BYTES = DocumentHash.BYTES;

  /**
   * The set of a record.
   *
   * @throws IllegalArgumentException naming what is wrong, if its content is not one
   */
  public static DocumentHashes of(DocumentSet record) {
    NavigableMap<String, byte[]> byDomain = new TreeMap<>();
    long size = 0;
    for (DomainDocuments each : record.getDomains()) {
      String domain = Topics.requireName("domain", each.getDomain());
      if (!byDomain.isEmpty() && byDomain.lastKey().compareTo(domain) >= 0) {
        throw new IllegalArgumentException("domains of a set must ascend: '" + domain + "'");
      }
      byte[] hashes = bytes(each.getHashes());
      requireAscending(domain, hashes);
      byDomain.put(domain, hashes);
      size += hashes.length / BYTES;
    }
    if (size < 1 || size > MOST) {
      throw new IllegalArgumentException("a set must have 1 to " + MOST + " documents: " + size);
    }
    return new DocumentHashes(byDomain);
  }

  /**
   * Documents as sets, each of which has as many as fit.
   *
   * @param hashes by domain
   */
  public static List<DocumentHashes> of(SortedMap<String, ? extends Set<DocumentKey>> hashes) {
    List<DocumentHashes> sets = new ArrayList<>();
    NavigableMap<String, byte[]> open = new TreeMap<>();
    int room = MOST;
    for (Map.Entry<String, ? extends Set<DocumentKey>> domain : hashes.entrySet()) {
      List<DocumentKey> left = List.copyOf(new TreeSet<>(domain.getValue()));
      while (!left.isEmpty()) {
        List<DocumentKey> part = left.subList(0, Math.min(room, left.size()));
        open.put(domain.getKey(), joined(part));
        left = left.subList(part.size(), left.size());
        room -= part.size();
        if (room == 0) {
          sets.add(new DocumentHashes(open));
          open = new TreeMap<>();
          room = MOST;
        }
      }
    }
    if (!open.isEmpty()) {
      sets.add(new DocumentHashes(open));
    }
    return sets;
  }

  /** The digest of the content, in hexadecimal. */
  public String name() {
    return name;
  }

  /** Documents in it. */
  public int size() {
    return size;
  }

  /** The domains of its documents. */
  public Set<String> domains() {
    return byDomain.keySet();
  }

  /** Whether a document is in it. */
  public boolean contains(String domain, String id) {
    return contains(domain, id.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether a document is in it whose id is given as UTF-8. */
  public boolean contains(String domain, byte[] id) {
    byte[] hashes = byDomain.get(domain);
    return hashes != null && contains(hashes, DocumentHash.of(domain, id));
  }

  /** Whether a document is in it whose {@link IdHash} is given as UTF-8. */
  public boolean containsHash(String domain, byte[] hash) {
    byte[] hashes = byDomain.get(domain);
    byte[] wanted = hashes == null ? null : IdHash.parsed(hash);
    return hashes != null && wanted != null && contains(hashes, wanted);
  }

  /** Whether one of the hashes begins so. */
  private static boolean contains(byte[] hashes, byte[] wanted) {
    int low = 0;
    int high = hashes.length / BYTES;
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

  /** Adds the documents of some domains to others. */
  public void addTo(Set<String> domains, SortedMap<String, SortedSet<DocumentKey>> all) {
    byDomain.forEach(
        (domain, hashes) -> {
          if (domains.contains(domain)) {
            SortedSet<DocumentKey> keys = all.computeIfAbsent(domain, of -> new TreeSet<>());
            for (int at = 0; at < hashes.length; at += BYTES) {
              keys.add(new DocumentKey(Arrays.copyOfRange(hashes, at, at + BYTES)));
            }
          }
        });
  }

  /** Takes its documents away from others; domains without any are left out. */
  public void removeFrom(SortedMap<String, SortedSet<DocumentKey>> all) {
    byDomain.forEach(
        (domain, hashes) -> {
          SortedSet<DocumentKey> keys = all.get(domain);
          if (keys != null) {
            for (int at = 0; at < hashes.length; at += BYTES) {
              keys.remove(new DocumentKey(Arrays.copyOfRange(hashes, at, at + BYTES)));
            }
            if (keys.isEmpty()) {
              all.remove(domain);
            }
          }
        });
  }

  /**
   * The set as a record.
   *
   * @param forgotten whether everybody is to forget the documents
   */
  public DocumentSet record(boolean forgotten, String why, long timeMillis) {
    List<DomainDocuments> domains =
        byDomain.entrySet().stream()
            .map(each -> new DomainDocuments(each.getKey(), ByteBuffer.wrap(each.getValue())))
            .toList();
    return new DocumentSet(forgotten, why, timeMillis, domains);
  }

  private static String digest(NavigableMap<String, byte[]> byDomain) {
    MessageDigest digest = DocumentHash.sha256();
    byDomain.forEach(
        (domain, hashes) -> {
          digest.update(domain.getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
          digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(hashes.length / BYTES).flip());
          digest.update(hashes);
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] joined(List<DocumentKey> keys) {
    ByteBuffer joined = ByteBuffer.allocate(keys.size() * BYTES);
    keys.forEach(key -> joined.put(key.hash()));
    return joined.array();
  }

  private static void requireAscending(String domain, byte[] hashes) {
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
    for (int at = BYTES; at < hashes.length; at += BYTES) {
      if (Arrays.compareUnsigned(hashes, at - BYTES, at, hashes, at, at + BYTES) >= 0) {
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
  }

  @Override
  public String toString() {
    return "set " + name + " of " + size + " documents";
  }
}
