package io.sluice.control.history;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The statuses of runs that are published from now on. */
public final class StatusFollower implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final TopicReader reader;
  private final String topic;
  private final Map<String, RunStatus> newest = new HashMap<>();

  /** A follower of what is published after the call. */
  public StatusFollower(KafkaAccess access) {
    this.topic = access.topics().status();
    Consumer<byte[], byte[]> consumer = TopicReader.consumer(access, Map.of());
    reader = new TopicReader(access, consumer);
    reader
        .ends(reader.partitions(topic, PATIENCE), PATIENCE)
        .forEach((partition, end) -> consumer.seek(partition, end));
  }

  /** The newest status of a run that was published; empty while none was. */
  public Optional<RunStatus> newest(String runId) {
    reader.catchUp(topic, PATIENCE, this::take);
    return Optional.ofNullable(newest.get(runId));
  }

  private void take(ConsumerRecord<byte[], byte[]> message) {
    try {
      RunStatus status = WireCodec.decode(RunStatus.class, message.value());
      newest.put(status.getRunId(), status);
    } catch (WireFormatException e) {
      // What is no status says nothing of a run.
      return;
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
