package io.sluice.schema.set;

import io.sluice.schema.DocumentSet;
import io.sluice.schema.DomainDocuments;
import io.sluice.schema.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
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

  private final NavigableMap<String, DocumentKeys> byDomain;
  private final int size;
  private final String name;

  private DocumentHashes(NavigableMap<String, DocumentKeys> byDomain) {
    this.byDomain = byDomain;
    this.size = byDomain.values().stream().mapToInt(DocumentKeys::size).sum();
    this.name = digest(byDomain);
  }

  /**
   * The set of a record.
   *
   * @throws IllegalArgumentException naming what is wrong, if its content is not one
   */
  public static DocumentHashes of(DocumentSet record) {
    NavigableMap<String, DocumentKeys> byDomain = new TreeMap<>();
    long size = 0;
    for (DomainDocuments each : record.getDomains()) {
      String domain = Topics.requireName("domain", each.getDomain());
      if (!byDomain.isEmpty() && byDomain.lastKey().compareTo(domain) >= 0) {
        throw new IllegalArgumentException("domains of a set must ascend: '" + domain + "'");
      }
      DocumentKeys keys = DocumentKeys.of(domain, each.getHashes());
      byDomain.put(domain, keys);
      size += keys.size();
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
    NavigableMap<String, DocumentKeys> open = new TreeMap<>();
    int room = MOST;
    for (Map.Entry<String, ? extends Set<DocumentKey>> domain : hashes.entrySet()) {
      List<DocumentKey> left = List.copyOf(new TreeSet<>(domain.getValue()));
      while (!left.isEmpty()) {
        List<DocumentKey> part = left.subList(0, Math.min(room, left.size()));
        open.put(domain.getKey(), DocumentKeys.of(part));
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
    DocumentKeys keys = byDomain.get(domain);
    return keys != null && keys.contains(DocumentHash.of(domain, id));
  }

  /** Whether a document is in it whose {@link IdHash} is given as UTF-8. */
  public boolean containsHash(String domain, byte[] hash) {
    DocumentKeys keys = byDomain.get(domain);
    byte[] wanted = keys == null ? null : IdHash.parsed(hash);
    return keys != null && wanted != null && keys.contains(wanted);
  }

  /** Its documents of a domain. */
  public DocumentKeys of(String domain) {
    return byDomain.getOrDefault(domain, DocumentKeys.NONE);
  }

  /** Adds the documents of some domains to others. */
  public void addTo(Set<String> domains, SortedMap<String, SortedSet<DocumentKey>> all) {
    byDomain.forEach(
        (domain, keys) -> {
          if (domains.contains(domain)) {
            all.computeIfAbsent(domain, of -> new TreeSet<>()).addAll(keys.all());
          }
        });
  }

  /** Takes its documents away from others; domains without any are left out. */
  public void removeFrom(SortedMap<String, SortedSet<DocumentKey>> all) {
    byDomain.forEach(
        (domain, keys) -> {
          Set<DocumentKey> left = all.get(domain);
          if (left != null) {
            keys.all().forEach(left::remove);
            if (left.isEmpty()) {
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
            .map(each -> new DomainDocuments(each.getKey(), each.getValue().bytes()))
            .toList();
    return new DocumentSet(forgotten, why, timeMillis, domains);
  }

  private static String digest(NavigableMap<String, DocumentKeys> byDomain) {
    MessageDigest digest = DocumentHash.sha256();
    byDomain.forEach(
        (domain, keys) -> {
          digest.update(domain.getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
          digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(keys.size()).flip());
          digest.update(keys.bytes());
        });
    return HexFormat.of().formatHex(digest.digest());
  }

  @Override
  public String toString() {
    return "set " + name + " of " + size + " documents";
  }
}
