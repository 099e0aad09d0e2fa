package io.sluice.service.seal;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.supervise.Threads;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals the datasets that have a store, on a thread of its own. */
public final class SealThread implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SealThread.class);
  private static final Duration WAIT = Duration.ofMillis(200);
  private static final Duration CLOSE = Duration.ofSeconds(10);

  private final Sealers sealers;
  private final Thread thread = new Thread(this::seal, "sluice-seal");

  private SealThread(Sealers sealers) {
    this.sealers = sealers;
    thread.setDaemon(true);
  }

  /**
   * Starts with no dataset.
   *
   * @param cluster id of the Kafka cluster
   * @param events told, in a sentence, what happens
   */
  public static SealThread start(KafkaAccess access, String cluster, Consumer<String> events) {
    SealThread started =
        new SealThread(
            new Sealers(access, cluster, InstantSource.system(), System::nanoTime, events));
    started.thread.start();
    return started;
  }

  /** Takes what is published of a dataset. */
  public void apply(DatasetSpec spec) {
    sealers.apply(spec);
  }

  /** Seals a dataset that was deleted no more. */
  public void delete(String dataset) {
    sealers.delete(dataset);
  }

  /** Whether nothing of a dataset that was deleted is sealed any more. */
  public boolean hasLeft(String dataset) {
    return sealers.hasLeft(dataset);
  }

  private void seal() {
    try (sealers) {
      while (!Thread.currentThread().isInterrupted()) {
        if (sealers.work(WAIT)) {
          continue;
        }
        LockSupport.parkNanos(WAIT.toNanos());
      }
    } catch (InterruptException closed) {
      LOG.debug("nothing is sealed any more");
    }
  }

  @Override
  public void close() {
    Threads.end(thread, CLOSE);
  }
}
