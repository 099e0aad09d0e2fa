package io.sluice.control.error;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** What a broker says to the records that it is sent: the first one that it does not take stays. */
public final class Deliveries implements Callback {
  private final AtomicReference<@Nullable Exception> refusal = new AtomicReference<>();
  private final String records;

  /**
   * Nothing was sent yet.
   *
   * @param records which they are, such as "documents"
   */
  public Deliveries(String records) {
    this.records = records;
  }

  @Override
  public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
    if (exception != null) {
      refusal.compareAndSet(null, exception);
    }
  }

  /**
   * Checks those that were answered.
   *
   * @throws UnreachableException if one was not taken
   */
  public void require() {
    Exception refused = refusal.get();
    if (refused != null) {
      throw refused(refused);
    }
  }

  /** That a record was not taken. */
  public UnreachableException refused(Throwable cause) {
    return new UnreachableException("Kafka does not take " + records + ": " + cause, cause);
  }
}
