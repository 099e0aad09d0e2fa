package io.sluice.jobs.refine.decide;

import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Puts records that several tasks have examined into the order of their numbers. Each task has them
 * in order, so that no more wait than are on their way; behind a checkpoint's barrier none does.
 */
final class RecordOrder {
  private final TreeMap<Long, ExaminedRecord> waiting = new TreeMap<>();
  private long next;

  /** Of records from a number on. */
  RecordOrder(long next) {
    this.next = next;
  }

  /** Takes a record, and hands on those whose turn it is. */
  void add(ExaminedRecord examined, Consumer<ExaminedRecord> out) {
    long number = examined.record().number();
    if (number < next || waiting.put(number, examined) != null) {
      throw new IllegalStateException("record " + number + " came twice; next is " + next);
    }
    while (!waiting.isEmpty() && waiting.firstKey() == next) {
      next++;
      out.accept(waiting.pollFirstEntry().getValue());
    }
  }

  /**
   * Checks that nothing waits.
   *
   * @throws IllegalStateException if a record is missing
   */
  void requireWhole() {
    if (!waiting.isEmpty()) {
      throw new IllegalStateException(
          "record " + next + " is missing, before " + waiting.size() + " others");
    }
  }
}
