package io.sluice.client.stream;

import io.sluice.client.error.RunEndedException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Batches until the run ends in order. */
final class Batches implements Iterator<GlobalBatch> {
  private final Supplier<GlobalBatch> source;
  private @Nullable GlobalBatch ready;
  private boolean ended;

  /**
   * @param source hands out a batch, or fails
   */
  Batches(Supplier<GlobalBatch> source) {
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    if (ready == null && !ended) {
      ready = fetch();
      ended = ready == null;
    }
    return ready != null;
  }

  private @Nullable GlobalBatch fetch() {
    try {
      return source.get();
    } catch (RunEndedException e) {
      if (e.inOrder()) {
        return null;
      }
      throw e;
    }
  }

  @Override
  public GlobalBatch next() {
    GlobalBatch batch = hasNext() ? ready : null;
    if (batch == null) {
      throw new NoSuchElementException("the run has ended");
    }
    ready = null;
    return batch;
  }
}
