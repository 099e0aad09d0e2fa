package io.sluice.jobs.refine.decide;

import io.sluice.refine.decide.KnownTwins;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.FilteredTwins;
import io.sluice.refine.twin.Signature;
import java.util.Locale;
import java.util.Optional;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;

/** Documents in filters on the heap, which go to keyed state whole when a checkpoint is taken. */
final class SuspectedTwins implements KnownTwins {
  private final MapState<Integer, byte[]> chunks;
  private FilteredTwins filters;
  private boolean changed;

  /** With these filters, unless the state has others. */
  SuspectedTwins(KeyedStateStore store, FilteredTwins fresh) {
    chunks =
        store.getMapState(
            new MapStateDescriptor<>(
                "filters", Types.INT, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    filters = fresh;
  }

  /** Takes the filters that the state has, with its key as the current one. */
  void restore() throws Exception {
    if (chunks.contains(0)) {
      filters = FilteredTwins.restored(this::chunk);
    }
  }

  private byte[] chunk(int number) {
    try {
      byte @Nullable [] chunk = chunks.get(number);
      if (chunk == null) {
        throw new IllegalStateException("chunk " + number + " is not in the state");
      }
      return chunk;
    } catch (Exception e) {
      throw new FlinkRuntimeException("filters of documents cannot be read", e);
    }
  }

  /** Writes the filters, with their key as the current one. */
  void write() throws Exception {
    for (int chunk = 0; changed && chunk < filters.chunks(); chunk++) {
      chunks.put(chunk, filters.chunk(chunk));
    }
    changed = false;
  }

  @Override
  public Optional<Found> add(DocumentPlace place, Signature signature) {
    if (filters.add(signature)) {
      return Optional.of(new Found(false, Optional.empty()));
    }
    changed = true;
    return Optional.empty();
  }

  @Override
  public String note() {
    return String.format(
        Locale.ROOT,
        "filters for %,d documents have %,d; the next is dropped by mistake with odds of %.2g",
        filters.expected(),
        filters.added(),
        filters.falseDrops());
  }
}
