package io.sluice.lab.reproduce.report;

import java.util.List;

/**
 * Cells under a head.
 *
 * @param rows as long as the head, the first cell of each a name
 */
record Table(String title, List<String> head, List<List<String>> rows) {
  /** Copies the lists. */
  Table {
    head = List.copyOf(head);
    rows = List.copyOf(rows);
  }
}
