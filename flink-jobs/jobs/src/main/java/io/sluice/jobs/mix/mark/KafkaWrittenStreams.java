package io.sluice.jobs.mix.mark;

import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Partitions as brokers have them. Connects when it is first asked. */
public final class KafkaWrittenStreams implements WrittenStreams {
  private static final int WAIT_MILLIS = 5_000;
  private static final Duration ASK = Duration.ofSeconds(10);

  private final KafkaAccess access;
  private final String clientId;
  private final Supplier<Consumer<byte[], byte[]>> opening;
  private @Nullable Admin admin;
  private @Nullable Consumer<byte[], byte[]> consumer;

  /**
   * Connects to nothing yet.
   *
   * @param opening makes a consumer without a policy for places that are gone
   */
  public KafkaWrittenStreams(
      KafkaAccess access, String clientId, Supplier<Consumer<byte[], byte[]>> opening) {
    this.access = access;
    this.clientId = clientId;
    this.opening = opening;
  }

  private Admin admin() {
    Admin open = admin;
    if (open == null) {
      Map<String, Object> settings = new HashMap<>();
      settings.put("client.id", clientId);
      settings.put("request.timeout.ms", WAIT_MILLIS);
      settings.put("default.api.timeout.ms", WAIT_MILLIS);
      open = Admin.create(access.with(settings));
      admin = open;
    }
    return open;
  }

  @Override
  public Map<TopicPartition, Latest> latest(Collection<TopicPartition> partitions) {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(partition -> asked.put(partition, OffsetSpec.latest()));
    Map<TopicPartition, Latest> all = new HashMap<>();
    if (asked.isEmpty()) {
      return all;
    }
    ListOffsetsResult answers = admin().listOffsets(asked);
    for (TopicPartition partition : asked.keySet()) {
      try {
        ListOffsetsResult.ListOffsetsResultInfo found = answers.partitionResult(partition).get();
        all.put(partition, new Latest(found.offset(), found.leaderEpoch().orElse(-1)));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException
            || e.getCause() instanceof InvalidTopicException
            || e.getCause() instanceof TopicAuthorizationException) {
          all.put(partition, Latest.GONE);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptException(e);
      }
    }
    return all;
  }

  /** A consumer asks the leader whether a place of an epoch is still one before it reads there. */
  @Override
  public Set<TopicPartition> cut(Map<TopicPartition, OffsetAndMetadata> reached) {
    Consumer<byte[], byte[]> from = consumer;
    if (from == null) {
      from = opening.get();
      consumer = from;
    }
    Set<TopicPartition> cut = new HashSet<>();
    Set<TopicPartition> open = new HashSet<>(reached.keySet());
    from.assign(open);
    reached.forEach(from::seek);
    while (!open.isEmpty()) {
      TopicPartition next = open.iterator().next();
      try {
        from.position(next, ASK);
        open.remove(next);
      } catch (LogTruncationException e) {
        cut.addAll(e.partitions());
        open.removeAll(e.partitions());
      }
      from.assign(open);
    }
    return cut;
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
    if (consumer != null) {
      consumer.close(CloseOptions.timeout(Duration.ZERO));
    }
  }
}
