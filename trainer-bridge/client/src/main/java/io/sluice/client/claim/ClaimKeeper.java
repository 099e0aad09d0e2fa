package io.sluice.client.claim;

import io.sluice.client.run.StreamState;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a claim about once a second in a thread of its own. */
public final class ClaimKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClaimKeeper.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  private final RankClaim claim;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread daemon = new Thread(task, "sluice-claim");
            daemon.setDaemon(true);
            return daemon;
          });
  private boolean checking;

  public ClaimKeeper(RankClaim claim) {
    this.claim = claim;
  }

  /** Takes the rank, and watches it from then on. */
  public void attach(StreamState state) {
    claim.attach(state);
    if (!checking) {
      checking = true;
      var unused = thread.scheduleWithFixedDelay(this::check, 1, 1, TimeUnit.SECONDS);
    }
  }

  private void check() {
    try {
      claim.check();
    } catch (KafkaException e) {
      LOG.debug("the claims could not be read: {}", e.getMessage());
    }
  }

  public void requireHeld() {
    claim.requireHeld();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    boolean interrupted = Thread.interrupted();
    try {
      thread.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    claim.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
