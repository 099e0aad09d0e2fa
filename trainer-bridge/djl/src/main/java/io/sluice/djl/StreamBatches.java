package io.sluice.djl;

import io.sluice.client.GlobalBatch;
import io.sluice.client.RunEndedException;
import io.sluice.client.Sequence;
import io.sluice.client.StreamState;
import io.sluice.client.TrainerStream;
import java.time.Duration;
import org.apache.kafka.common.errors.InterruptException;

/** A run's stream as a source of decoded batches, for a trainer of one process. */
public final class StreamBatches implements BatchSource {
  private final TrainerStream stream;

  /** Reads on from where the stream is; closing this closes it. */
  public StreamBatches(TrainerStream stream) {
    this.stream = stream;
  }

  @Override
  public NextBatch next(Duration timeout) throws InterruptedException {
    try {
      GlobalBatch batch = stream.next(timeout);
      return new TrainingBatch(
          batch.timeline(),
          batch.batch(),
          batch.weightsVersion(),
          batch.sequences().stream().map(Sequence::block).toList());
    } catch (RunEndedException e) {
      return new StreamEnd(e.getMessage());
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
