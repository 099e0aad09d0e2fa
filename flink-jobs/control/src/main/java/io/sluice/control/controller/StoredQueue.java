package io.sluice.control.controller;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
    return remove(entries.firstKey(), entries.firstEntry().getValue());
  }

  private byte[] remove(long number, byte[] entry) {
    entries.remove(number);
    store.remove(prefix + number);
    bytes -= entry.length;
    return entry;
  }

  /** Takes out what meets a condition, in the order of arrival. */
  List<byte[]> takeIf(Predicate<byte[]> condition) {
    List<byte[]> taken = new ArrayList<>();
    for (Map.Entry<Long, byte[]> entry : new TreeMap<>(entries).entrySet()) {
      if (condition.test(entry.getValue())) {
        taken.add(remove(entry.getKey(), entry.getValue()));
      }
    }
    return taken;
  }
}
