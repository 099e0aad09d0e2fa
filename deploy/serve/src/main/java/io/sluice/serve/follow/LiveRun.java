package io.sluice.serve.follow;

import io.sluice.control.history.RunFold;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A run that goes on: its log, folded from its last snapshot, as far as it was read. */
public final class LiveRun {
  private final RunFold fold;
  private volatile Mixture mixture;

  /**
   * What a run mixes.
   *
   * @param run its name
   * @param domains in the order of the other lists
   * @param decided weights of the newest version
   * @param effective those that are mixed while some domains have nothing left
   * @param sequences of each domain that were granted
   */
  public record Mixture(
      String run,
      String dataset,
      List<String> domains,
      Weights decided,
      Weights effective,
      long[] sequences) {
    static Mixture of(RunFold fold) {
      RunState state = fold.state();
      return new Mixture(
          fold.name(),
          fold.spec().getDataset(),
          state.settings().domains(),
          state.decided(),
          state.effective(),
          state.sequences());
    }

    /** Of all sequences that were granted. */
    public long total() {
      return LongStream.of(sequences).sum();
    }
  }

  LiveRun(RunFold fold) {
    this.fold = fold;
    this.mixture = Mixture.of(fold);
  }

  /** Reads on, on the feed's thread. */
  Feed.Reader reader(Runnable ended) {
    return new Feed.Reader() {
      @Override
      public void take(ConsumerRecord<byte[], byte[]> message) {
        fold.take(message);
      }

      @Override
      public void pause() {
        mixture = Mixture.of(fold);
      }

      @Override
      public void end(Exception why) {
        ended.run();
      }
    };
  }

  /** The log's topic, and the first record of it that is not read. */
  String topic() {
    return fold.topic();
  }

  long next() {
    return fold.next();
  }

  /** What it mixes, as far as its log was read. */
  public Mixture mixture() {
    return mixture;
  }
}
