package io.sluice.djl.data;

import io.sluice.client.run.StreamState;
import java.time.Duration;

/** Where global batches come from: a run's stream, or a script in a test. */
public interface BatchSource extends AutoCloseable {
  /**
   * The next batch; waits for it.
   *
   * @param timeout longest wait
   * @throws io.sluice.client.error.StreamStalledException if it did not come in time; asking again
   *     is fine
   * @throws io.sluice.client.error.RunEndedException if no batch will come any more
   * @throws io.sluice.client.error.StreamException if the stream is broken or was rewound
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  TrainingBatch next(Duration timeout) throws InterruptedException;

  /** Position after the last batch that was handed out. */
  StreamState state();

  @Override
  void close();
}
