package io.sluice.corpus.parquet;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of a Parquet file.
 *
 * @param number from 1
 * @param text bytes of its text, which may be no UTF-8; null where the column is
 * @param id bytes of its id, a text or a whole number's digits; null where the column is, or is not
 *     there
 * @param domain bytes of what it says of its domain; null where it says nothing, or is not asked
 * @param properties bytes of the properties that are asked for, by their columns; those that are
 *     null are absent
 */
@SuppressWarnings("ArrayRecordComponent") // Bytes pass through; nobody compares them.
public record ParquetRow(
    long number,
    byte @Nullable [] text,
    byte @Nullable [] id,
    byte @Nullable [] domain,
    Map<String, byte[]> properties) {
  /** The same row by another number. */
  public ParquetRow numbered(long other) {
    return new ParquetRow(other, text, id, domain, properties);
  }
}
