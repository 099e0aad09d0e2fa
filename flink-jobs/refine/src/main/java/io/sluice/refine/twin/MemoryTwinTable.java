package io.sluice.refine.twin;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table in memory. */
public final class MemoryTwinTable implements TwinTable {
  private record Key(int band, long hash) {}

  private static final long[] NONE = {};

  private final Map<Long, byte[]> documents = new HashMap<>();
  private final Map<Key, long[]> numbers = new HashMap<>();
  private Span span = Span.EMPTY;

  @Override
  public Span span() {
    return span;
  }

  @Override
  public void putSpan(Span span) {
    this.span = span;
  }

  @Override
  public byte @Nullable [] document(long number) {
    return documents.get(number);
  }

  @Override
  public void putDocument(long number, byte[] document) {
    documents.put(number, document);
  }

  @Override
  public void removeDocument(long number) {
    documents.remove(number);
  }

  @Override
  public long[] numbers(int band, long hash) {
    return numbers.getOrDefault(new Key(band, hash), NONE);
  }

  @Override
  public void putNumbers(int band, long hash, long[] found) {
    if (found.length == 0) {
      numbers.remove(new Key(band, hash));
    } else {
      numbers.put(new Key(band, hash), found);
    }
  }

  /** How many documents there are. */
  public int documents() {
    return documents.size();
  }

  /** How many hashes have numbers. */
  public int hashes() {
    return numbers.size();
  }
}
