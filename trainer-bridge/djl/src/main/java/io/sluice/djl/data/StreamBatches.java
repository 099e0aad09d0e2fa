package io.sluice.djl.data;

import io.sluice.client.block.Sequence;
import io.sluice.client.run.StreamState;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import java.time.Duration;
import org.apache.kafka.common.errors.InterruptException;

/**
 * A run's stream as a source of decoded batches, for a trainer of one process.
 *
 * @param stream read on from where it is; closing this closes it
 */
public record StreamBatches(Loader stream) implements BatchSource {
  @Override
  public TrainingBatch next(Duration timeout) throws InterruptedException {
    try {
      GlobalBatch batch = stream.next(timeout);
      return new TrainingBatch(
          batch.timeline(),
          batch.batch(),
          batch.weightsVersion(),
          batch.sequences().stream().map(Sequence::block).toList());
    } catch (InterruptException e) {
      throw Interrupts.checked(e);
    }
  }

  @Override
  public StreamState state() {
    return stream.state();
  }

  @Override
  public void close() {
    stream.close();
  }
}
