package io.sluice.jobs.refine.decide;

import io.sluice.refine.text.Words;
import io.sluice.refine.twin.TwinTable;
import java.nio.ByteBuffer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Documents of which others may be duplicates, in keyed state: on disk, but for what is cached of
 * it. Bands share a table, by their hashes together: documents that meet in it by chance are told
 * apart by their signatures.
 */
final class StateTable implements TwinTable {
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;
  private static final long[] NONE = {};

  private final MapState<Long, byte[]> documents;
  private final MapState<Long, long[]> numbers;
  private final ValueState<byte[]> span;

  private interface Access<T extends @Nullable Object> {
    T get() throws Exception;
  }

  /**
   * A table in a store.
   *
   * @param name begins the names of its state; several tables of a store need different ones
   */
  StateTable(KeyedStateStore store, String name) {
    documents =
        store.getMapState(
            new MapStateDescriptor<>(
                name + "documents",
                Types.LONG,
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    numbers =
        store.getMapState(
            new MapStateDescriptor<>(
                name + "bands", Types.LONG, PrimitiveArrayTypeInfo.LONG_PRIMITIVE_ARRAY_TYPE_INFO));
    span =
        store.getState(
            new ValueStateDescriptor<>(
                name + "span", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
  }

  @Override
  public Span span() {
    byte @Nullable [] written = get(span::value);
    if (written == null) {
      return Span.EMPTY;
    }
    ByteBuffer bytes = ByteBuffer.wrap(written);
    return new Span(bytes.getLong(), bytes.getLong());
  }

  @Override
  public void putSpan(Span next) {
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES).putLong(next.first()).putLong(next.next()).array();
    put(() -> span.update(bytes));
  }

  @Override
  public byte @Nullable [] document(long number) {
    return get(() -> documents.get(number));
  }

  @Override
  public void putDocument(long number, byte[] document) {
    put(() -> documents.put(number, document));
  }

  @Override
  public void removeDocument(long number) {
    put(() -> documents.remove(number));
  }

  @Override
  public long[] numbers(int band, long hash) {
    long @Nullable [] found = get(() -> numbers.get(place(band, hash)));
    return found == null ? NONE : found;
  }

  @Override
  public void putNumbers(int band, long hash, long[] there) {
    long place = place(band, hash);
    put(
        () -> {
          if (there.length == 0) {
            numbers.remove(place);
          } else {
            numbers.put(place, there);
          }
        });
  }

  private static long place(int band, long hash) {
    return Words.mixed(hash + (band + 1) * GOLDEN);
  }

  private static <T extends @Nullable Object> T get(Access<T> access) {
    try {
      return access.get();
    } catch (Exception e) {
      throw new FlinkRuntimeException("what is known of documents cannot be read", e);
    }
  }

  private interface Change {
    void make() throws Exception;
  }

  private static void put(Change change) {
    try {
      change.make();
    } catch (Exception e) {
      throw new FlinkRuntimeException("what is known of documents cannot be written", e);
    }
  }
}
