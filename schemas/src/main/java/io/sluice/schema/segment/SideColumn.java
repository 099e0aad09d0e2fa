package io.sluice.schema.segment;

/**
 * Where a column lies in a side.
 *
 * @param offset of its first entry, from the beginning of the side
 */
record SideColumn(String name, String type, int offset, int count) {
  /** Bytes of an entry. */
  int width() {
    return type.endsWith("64") ? Long.BYTES : Integer.BYTES;
  }

  /** Where an entry is. */
  int at(int entry) {
    return offset + entry * width();
  }

  /** The place behind the last entry. */
  long end() {
    return offset + (long) count * width();
  }
}
