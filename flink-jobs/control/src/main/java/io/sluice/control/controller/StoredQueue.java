package io.sluice.control.controller;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Records in the order in which they came, each in a part of its own. They are asked for at each
 * entry of the log, so each is read once.
 *
 * @param <V> what is asked of a record
 */
final class StoredQueue<V> {
  private final RunStore store;
  private final String prefix;
  private final Function<byte[], V> reading;
  private final TreeMap<Long, Entry<V>> entries = new TreeMap<>();
  private long bytes;

  private record Entry<V>(byte[] bytes, V read) {}

  /**
   * The queue that was kept under the prefix.
   *
   * @param parts everything in the store
   * @param reading what is asked of a record
   */
  StoredQueue(
      RunStore store, String prefix, Map<String, byte[]> parts, Function<byte[], V> reading) {
    this.store = store;
    this.prefix = prefix;
    this.reading = reading;
    parts.forEach(
        (part, kept) -> {
          if (part.startsWith(prefix)) {
            put(Long.parseLong(part.substring(prefix.length())), kept);
          }
        });
  }

  private void put(long number, byte[] added) {
    entries.put(number, new Entry<>(added, reading.apply(added)));
    bytes += added.length;
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
    put(next, added);
    store.put(prefix + next, added);
  }

  /** What is asked of each record. */
  List<V> all() {
    return entries.values().stream().map(Entry::read).toList();
  }

  byte[] removeFirst() {
    Map.Entry<Long, Entry<V>> first = entries.pollFirstEntry();
    return forget(first.getKey(), first.getValue());
  }

  private byte[] forget(long number, Entry<V> entry) {
    store.remove(prefix + number);
    bytes -= entry.bytes().length;
    return entry.bytes();
  }

  /** Takes out what meets a condition, in the order of arrival. */
  List<byte[]> takeIf(Predicate<V> condition) {
    List<byte[]> taken = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    entries.forEach(
        (number, entry) -> {
          if (condition.test(entry.read())) {
            numbers.add(number);
          }
        });
    for (long number : numbers) {
      taken.add(forget(number, Objects.requireNonNull(entries.remove(number))));
    }
    return taken;
  }
}
