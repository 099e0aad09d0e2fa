package io.sluice.client.run;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What the service said last of a run, for people to read: nothing is decided by it. */
public final class NewestStatus {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Records from the topic's end that are looked at first. */
  private static final long WINDOW = 1024;

  private final String runId;
  private @Nullable RunStatus newest;

  private NewestStatus(String runId) {
    this.runId = runId;
  }

  /** The newest status of a run; empty while there is none, or nobody answers. */
  public static Optional<RunStatus> of(KafkaAccess access, String runId) {
    return of(access.topics().status(), runId, () -> TopicReader.uncommitted(access));
  }

  static Optional<RunStatus> of(String topic, String runId, Supplier<TopicReader> open) {
    NewestStatus status = new NewestStatus(runId);
    try (TopicReader reader = open.get()) {
      Map<TopicPartition, Long> ends = reader.ends(reader.partitions(topic, PATIENCE), PATIENCE);
      if (ends.isEmpty()) {
        return Optional.empty();
      }
      long end = ends.getOrDefault(new TopicPartition(topic, 0), 0L);
      for (long back = WINDOW; status.newest == null && back < 2 * (end + WINDOW); back *= 2) {
        reader.seek(topic, Math.max(0, end - back));
        reader.readTo(ends, PATIENCE, status::take);
      }
    } catch (KafkaUnreachableException e) {
      return Optional.empty();
    }
    return Optional.ofNullable(status.newest);
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    try {
      RunStatus found = WireCodec.decode(RunStatus.class, message.value());
      newest = found.getRunId().equals(runId) ? found : newest;
    } catch (WireFormatException e) {
      // Others write there, too: what is no status says nothing of the run.
      return;
    }
  }
}
