package io.sluice.control.controller;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Records in the order in which they came, each in a part of its own. */
final class StoredQueue {
  private final RunStore store;
  private final String prefix;
  private final TreeMap<Long, byte[]> entries = new TreeMap<>();
  private long bytes;

  /**
   * The queue that was kept under the prefix.
   *
   * @param parts everything in the store
   */
  StoredQueue(RunStore store, String prefix, Map<String, byte[]> parts) {
    this.store = store;
    this.prefix = prefix;
    parts.forEach(
        (part, kept) -> {
          if (part.startsWith(prefix)) {
            entries.put(Long.parseLong(part.substring(prefix.length())), kept);
            bytes += kept.length;
          }
        });
  }

  /** Bytes of all records. */
  long bytes() {
    return bytes;
  }

  int size() {
    return entries.size();
  }

  void add(byte[] added) {
    long next = entries.isEmpty() ? 0 : entries.lastKey() + 1;
    entries.put(next, added);
    store.put(prefix + next, added);
    bytes += added.length;
  }

  Collection<byte[]> all() {
    return entries.values();
  }

  byte[] removeFirst() {
    Map.Entry<Long, byte[]> first = entries.pollFirstEntry();
    store.remove(prefix + first.getKey());
    bytes -= first.getValue().length;
    return first.getValue();
  }

  void removeIf(Predicate<byte[]> condition) {
    entries
        .entrySet()
        .removeIf(
            entry -> {
              boolean gone = condition.test(entry.getValue());
              if (gone) {
                bytes -= entry.getValue().length;
                store.remove(prefix + entry.getKey());
              }
              return gone;
            });
  }
}
