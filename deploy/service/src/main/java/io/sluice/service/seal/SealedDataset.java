package io.sluice.service.seal;

import io.sluice.control.error.CommandException;
import io.sluice.corpus.file.FileChangedException;
import io.sluice.schema.DatasetSpec;
import io.sluice.service.supervise.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A dataset that shall be sealed: a sealer, and after it has failed, another. */
final class SealedDataset implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SealedDataset.class);

  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(1));

  private final DatasetSpec spec;
  private final Opening opening;
  private final LongSupplier nanos;
  private final Consumer<String> events;
  private final SealNotices notices;
  private @Nullable DatasetSealer sealer;
  private Duration pause = Duration.ZERO;
  private long openedNanos;
  private long dueNanos;
  private boolean told;
  private String failureTold = "";

  /** Makes a sealer. */
  interface Opening {
    /** A sealer that goes on where the records end. */
    DatasetSealer open(DatasetSpec spec) throws IOException;
  }

  SealedDataset(
      DatasetSpec spec,
      Opening opening,
      LongSupplier nanos,
      Consumer<String> events,
      SealNotices notices) {
    this.spec = spec;
    this.opening = opening;
    this.nanos = nanos;
    this.events = events;
    this.notices = notices;
    this.dueNanos = nanos.getAsLong();
  }

  /** What is published of it. */
  DatasetSpec spec() {
    return spec;
  }

  /** Bytes of its rows that wait. */
  long bytes() {
    return sealer == null ? 0 : sealer.bytes();
  }

  /**
   * Does what there is to do.
   *
   * @return whether it waited for blocks
   */
  boolean work(Duration wait) {
    return attempt(
        () -> {
          if (sealer != null) {
            sealer.work(wait);
          } else if (nanos.getAsLong() - dueNanos >= 0) {
            open();
          }
        });
  }

  /** Seals its rows that wait, whether or not it is time to. */
  void seal() {
    attempt(
        () -> {
          if (sealer != null) {
            sealer.seal();
          }
        });
  }

  private interface Work {
    void run() throws IOException;
  }

  private boolean attempt(Work work) {
    try {
      work.run();
      tellThatItGoesOn();
    } catch (InterruptException closed) {
      throw closed;
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
    return sealer != null;
  }

  private void open() throws IOException {
    openedNanos = nanos.getAsLong();
    sealer = opening.open(spec);
    if (!told) {
      told = true;
      if (failureTold.isEmpty()) {
        // An earlier process may have left a notice.
        notices.flows(spec.getName());
      }
      events.accept("sealing dataset " + spec.getName() + " into " + spec.getStore());
    }
  }

  private void tellThatItGoesOn() {
    if (!failureTold.isEmpty() && sealer != null && sealer.hasSealed()) {
      failureTold = "";
      notices.flows(spec.getName());
      events.accept("dataset " + spec.getName() + " is sealed again");
    }
  }

  /** The sealer is given up; the next one finds in the topics where it was. */
  private void failed(Exception e) {
    LOG.debug("dataset {} is not sealed", spec.getName(), e);
    close();
    if (Thread.currentThread().isInterrupted()) {
      return;
    }
    Duration lived = Duration.ofNanos(nanos.getAsLong() - openedNanos);
    boolean fenced = e instanceof ProducerFencedException;
    pause = fenced ? BACKOFF.longest() : BACKOFF.after(pause, lived, true);
    dueNanos = nanos.getAsLong() + pause.toNanos();
    String why = reason(e);
    if (!why.equals(failureTold)) {
      failureTold = why;
      if (!fenced) {
        notices.waits(spec.getName(), why);
      }
      events.accept(
          "dataset "
              + spec.getName()
              + " cannot be sealed: "
              + why
              + "; it is tried again in "
              + pause.toSeconds()
              + " s, and then once a minute at least");
    }
  }

  private static String reason(Exception e) {
    if (e instanceof ProducerFencedException) {
      return "another service has begun to seal it";
    }
    return e instanceof SealingException
            || e instanceof CommandException
            || e instanceof FileChangedException
            || e instanceof IllegalArgumentException
        ? String.valueOf(e.getMessage())
        : e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  @Override
  public void close() {
    DatasetSealer open = sealer;
    sealer = null;
    if (open != null) {
      open.close();
    }
  }
}
