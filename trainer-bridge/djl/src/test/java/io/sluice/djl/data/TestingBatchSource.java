package io.sluice.djl.data;

import io.sluice.client.error.RunEndedException;
import io.sluice.client.run.StreamState;
import io.sluice.schema.TokenBlock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** Batches that follow from their number. */
public final class TestingBatchSource implements BatchSource {
  private final LongFunction<List<TokenBlock>> blocks;
  private long batch;
  public LongConsumer onAsked = number -> {};
  public Optional<Long> last = Optional.empty();
  public String state = "completed";
  public boolean interrupted;

  /** Hands out batch {@code after + 1} first. */
  public TestingBatchSource(long after, LongFunction<List<TokenBlock>> blocks) {
    this.batch = after;
    this.blocks = blocks;
  }

  @Override
  public TrainingBatch next(Duration timeout) throws InterruptedException {
    onAsked.accept(batch + 1);
    if (interrupted) {
      throw new InterruptedException("as the test wants");
    }
    if (last.isPresent() && batch == last.get()) {
      throw new RunEndedException("r-1", state, batch, "");
    }
    batch++;
    return new TrainingBatch(0, batch, 3, blocks.apply(batch));
  }

  @Override
  public StreamState state() {
    return new StreamState("r-1", 0, batch, batch * 4);
  }

  @Override
  public void close() {}
}
