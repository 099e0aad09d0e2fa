package io.sluice.jobs.mix.tail;

import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Where topics end as brokers say. Connects when it is first asked. */
public final class KafkaTopicEnds implements TopicEnds {
  private static final int WAIT_MILLIS = 20_000;

  private final KafkaAccess access;
  private Admin admin;

  /** Connects to nothing yet. */
  @SuppressWarnings("NullAway.Init")
  public KafkaTopicEnds(KafkaAccess access) {
    this.access = access;
  }

  private Admin admin() {
    if (admin == null) {
      admin =
          Admin.create(
              access.with(
                  Map.of(
                      "client.id",
                      "sluice-mix-tails",
                      "request.timeout.ms",
                      WAIT_MILLIS,
                      "default.api.timeout.ms",
                      WAIT_MILLIS)));
    }
    return admin;
  }

  @Override
  public synchronized Map<String, Ends> of(Collection<String> topics) {
    Map<String, TopicDescription> there = new HashMap<>();
    admin()
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, answer) -> {
              TopicDescription found = answer(answer);
              if (found != null) {
                there.put(topic, found);
              }
            });
    Map<TopicPartition, OffsetSpec> first = new HashMap<>();
    Map<TopicPartition, OffsetSpec> last = new HashMap<>();
    there.forEach(
        (topic, description) -> {
          for (int p = 0; p < description.partitions().size(); p++) {
            first.put(new TopicPartition(topic, p), OffsetSpec.earliest());
            last.put(new TopicPartition(topic, p), OffsetSpec.latest());
          }
        });
    ListOffsetsResult ends = admin().listOffsets(last);
    // Asked last: what is removed meanwhile is missing here, not read as if it had never been.
    ListOffsetsResult starts = admin().listOffsets(first);
    Map<String, Ends> all = new HashMap<>();
    there.forEach(
        (topic, description) -> {
          List<Span> spans = new ArrayList<>();
          for (int p = 0; p < description.partitions().size(); p++) {
            TopicPartition partition = new TopicPartition(topic, p);
            var to = answer(ends.partitionResult(partition));
            var from = answer(starts.partitionResult(partition));
            if (to != null && from != null) {
              spans.add(new Span(from.offset(), Math.max(from.offset(), to.offset())));
            }
          }
          if (spans.size() == description.partitions().size()) {
            all.put(topic, new Ends(description.topicId().toString(), spans));
          }
        });
    return all;
  }

  /** What a broker answers; null if it has no such topic for this client. */
  private static <T> @Nullable T answer(KafkaFuture<T> asked) {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException
          || e.getCause() instanceof TopicAuthorizationException) {
        return null;
      }
      throw new KafkaException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptException(e);
    }
  }

  @Override
  public synchronized void close() {
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }
}
