package io.sluice.client.feedback;

import io.sluice.client.error.FeedbackLostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Records on their way to one partition, in order: encoded and sent in a thread of its own, so that
 * {@link #put} never waits. A record that is not acknowledged, and one more than the capacity,
 * closes the box for good: what comes later must not overtake what was lost. Thread-safe.
 */
final class Outbox {
  private final Producer<byte[], byte[]> producer;
  private final String topic;
  private final byte[] key;
  private final int capacity;
  private final Queue<Supplier<byte[]>> waiting = new ArrayDeque<>();
  private final Thread thread = new Thread(this::run, "sluice-send");
  private int pending;
  private @Nullable Throwable lost;
  private boolean closed;

  Outbox(Producer<byte[], byte[]> producer, String topic, byte[] key, int capacity) {
    this.producer = producer;
    this.topic = topic;
    this.key = key;
    this.capacity = capacity;
    thread.setDaemon(true);
  }

  /**
   * Takes a record, which is encoded when it is sent.
   *
   * @throws FeedbackLostException if an earlier one was lost, or this one is one too many
   */
  synchronized void put(Supplier<byte[]> message) {
    if (closed) {
      throw new IllegalStateException("the reporter is closed");
    }
    if (lost == null && pending >= capacity) {
      String full = capacity + " records wait for the broker, the most that are kept";
      lose(new IllegalStateException(full));
    }
    requireNothingLost();
    waiting.add(message);
    pending++;
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    notifyAll();
  }

  /** Puts records if nothing waits for the broker; whether it did. */
  synchronized boolean putIfIdle(List<Supplier<byte[]>> messages) {
    if (closed || pending > 0) {
      return false;
    }
    messages.forEach(this::put);
    return true;
  }

  private void run() {
    try {
      for (Supplier<byte[]> next = take(); next != null; next = take()) {
        send(next.get());
      }
    } catch (RuntimeException | Error e) {
      // Out of memory, too, is for whoever waits to hear of: the thread has no other witness.
      lose(e);
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private synchronized @Nullable Supplier<byte[]> take() throws InterruptedException {
    while (waiting.isEmpty() && !closed && lost == null) {
      wait();
    }
    return lost == null ? waiting.poll() : null;
  }

  private void send(byte[] message) {
    var unused =
        producer.send(
            new ProducerRecord<>(topic, 0, key, message), (metadata, error) -> acknowledged(error));
  }

  private synchronized void acknowledged(@Nullable Exception error) {
    if (error != null) {
      lose(error);
    }
    pending--;
    notifyAll();
  }

  private synchronized void lose(Throwable why) {
    if (lost == null) {
      lost = why;
    }
    notifyAll();
  }

  private void requireNothingLost() {
    Throwable why = lost;
    if (why != null) {
      throw new FeedbackLostException(topic, why);
    }
  }

  /**
   * Waits until everything so far is acknowledged.
   *
   * @throws FeedbackLostException if something is not, or not in time
   */
  synchronized void flush(Duration timeout) {
    try {
      drain(timeout);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
    if (pending > 0) {
      String late = " records were not acknowledged within " + timeout.toSeconds() + " s";
      lose(new IllegalStateException(pending + late));
    }
    requireNothingLost();
  }

  private void drain(Duration timeout) throws InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    long left = timeout.toNanos();
    while (pending > 0 && lost == null && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
  }

  /** Waits a while for what is on its way; twice does nothing more. */
  void close(Duration timeout) {
    boolean interrupted = Thread.interrupted();
    synchronized (this) {
      if (closed) {
        return;
      }
      try {
        drain(timeout);
      } catch (InterruptedException e) {
        interrupted = true;
      }
      closed = true;
      if (pending > 0) {
        // Whoever else waits for them waits no longer.
        lose(new IllegalStateException(pending + " records were not acknowledged before the end"));
      }
      notifyAll();
    }
    thread.interrupt();
    producer.close(pendingWait());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was not acknowledged by now has had its time. */
  private synchronized Duration pendingWait() {
    return pending > 0 ? Duration.ZERO : Duration.ofSeconds(1);
  }
}
