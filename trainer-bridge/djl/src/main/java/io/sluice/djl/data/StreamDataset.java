package io.sluice.djl.data;

import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.Batchifier;
import ai.djl.util.Progress;
import io.sluice.client.error.RunEndedException;
import io.sluice.djl.model.ModelSize;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A run's stream as a DJL data set: one {@link Batch} for each global batch, for {@code
 * EasyTrain.fit} and loops like it, with data (tokens, positions, segments) and labels (label ids,
 * loss weights), all [B, L].
 *
 * <p>The listener is told of a step when the next batch is asked for: such loops do that right
 * after the optimizer step. A batch's {@link Batch#getProgress()} is its number in the stream.
 *
 * <p>It can be iterated once; reading the stream again takes another source.
 */
public final class StreamDataset implements Dataset {
  private final BatchSource source;
  private final ModelSize size;
  private final boolean documentMask;
  private final long steps;
  private final Duration patience;
  private final StepListener listener;

  /**
   * The batches up to a step, fewer if the stream ends before.
   *
   * @param steps number of the last batch to give
   * @param patience longest wait for one batch
   */
  public StreamDataset(
      BatchSource source,
      ModelSize size,
      boolean documentMask,
      long steps,
      Duration patience,
      StepListener listener) {
    this.source = source;
    this.size = size;
    this.documentMask = documentMask;
    this.steps = steps;
    this.patience = patience;
    this.listener = listener;
  }

  @Override
  public Iterable<Batch> getData(NDManager manager) {
    Batches batches = new Batches(manager);
    return () -> batches;
  }

  @Override
  public void prepare(@Nullable Progress progress) {
    // The stream is ready when the source is.
  }

  private final class Batches implements Iterator<Batch> {
    private final NDManager manager;
    private @Nullable TrainingBatch inTraining;
    private @Nullable TrainingBatch ready;
    private boolean ended;

    Batches(NDManager manager) {
      this.manager = manager;
    }

    @Override
    public boolean hasNext() {
      finishStep();
      if (ready == null && !ended && source.state().batch() < steps) {
        ready = await();
        ended = ready == null;
      }
      return ready != null;
    }

    @Override
    public Batch next() {
      if (!hasNext()) {
        throw new NoSuchElementException(
            "no batch after batch " + source.state().batch() + " of " + steps);
      }
      TrainingBatch batch = Objects.requireNonNull(ready);
      ready = null;
      inTraining = batch;
      return arrays(batch);
    }

    private Batch arrays(TrainingBatch batch) {
      BlockBatch blocks = BlockBatch.of(batch.blocks(), size, documentMask);
      NDManager scope = manager.newSubManager();
      return new Batch(
          scope,
          blocks.data(scope),
          blocks.targets(scope),
          blocks.rows(),
          Batchifier.STACK,
          Batchifier.STACK,
          batch.batch(),
          steps,
          List.of());
    }

    private void finishStep() {
      TrainingBatch done = inTraining;
      if (done != null) {
        inTraining = null;
        listener.afterStep(done.batch());
      }
    }

    private @Nullable TrainingBatch await() {
      try {
        return source.next(patience);
      } catch (RunEndedException e) {
        return null;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(
            "interrupted while batch " + (source.state().batch() + 1) + " was awaited", e);
      }
    }
  }
}
