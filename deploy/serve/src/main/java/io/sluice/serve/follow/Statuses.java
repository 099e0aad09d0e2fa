package io.sluice.serve.follow;

import io.sluice.control.history.RunStatuses;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What the job says of all runs, followed. */
public final class Statuses implements AutoCloseable {
  private final Feed feed;
  private final Consumer<RunStatuses> changed;
  private final CountDownLatch caughtUp = new CountDownLatch(1);
  private volatile RunStatuses now = new RunStatuses(Map.of(), Map.of(), Map.of());

  /**
   * Begins to read.
   *
   * @param changed told what there is when that is more; it must return at once
   */
  public Statuses(KafkaAccess access, Consumer<RunStatuses> changed) {
    this.changed = changed;
    feed = new Feed(access, "sluice-statuses");
    feed.follow(access.topics().status(), new Reader());
  }

  private final class Reader implements Feed.Reader {
    private final RunStatuses.Folding folding = new RunStatuses.Folding();

    @Override
    public void take(ConsumerRecord<byte[], byte[]> message) {
      folding.take(message);
    }

    @Override
    public void pause() {
      now = folding.read();
      caughtUp.countDown();
      changed.accept(now);
    }

    @Override
    public void end(Exception why) {
      caughtUp.countDown();
    }
  }

  /** The newest of each run that was read. */
  public RunStatuses now() {
    return now;
  }

  /** Waits until all is read that was there at the beginning, at most so long. */
  public void awaitWhole(Duration patience) throws InterruptedException {
    caughtUp.await(patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Why nothing is read at the moment; '' while all is well. */
  public String away() {
    return feed.away();
  }

  @Override
  public void close() {
    feed.close();
  }
}
