package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.StreamReach;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** Where topics end as brokers say. Connects when it is first asked. */
public final class KafkaTopicEnds implements TopicEnds {
  private static final int WAIT_MILLIS = 20_000;

  /** What a leader has to answer, after which its topic's ends are not known. */
  private static final int ENDS = 10_000;

  private final Supplier<Admin> opening;
  private @Nullable Admin admin;

  /** Connects to nothing yet. */
  public KafkaTopicEnds(KafkaAccess access) {
    this(
        () ->
            Admin.create(
                access.with(
                    Map.of(
                        "client.id",
                        "sluice-mix-tails",
                        "request.timeout.ms",
                        WAIT_MILLIS,
                        "default.api.timeout.ms",
                        WAIT_MILLIS))));
  }

  /** Asks whatever this makes. */
  KafkaTopicEnds(Supplier<Admin> opening) {
    this.opening = opening;
  }

  private Admin admin() {
    Admin open = admin;
    if (open == null) {
      open = opening.get();
      admin = open;
    }
    return open;
  }

  @Override
  public synchronized Answers of(Collection<String> topics) {
    Map<String, TopicDescription> there = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    admin()
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, asked) -> {
              TopicDescription found = answer(asked, KafkaTopicEnds::isOfOneTopic, topic, unknown);
              if (found != null && found.partitions().stream().allMatch(KafkaTopicEnds::isLed)) {
                there.put(topic, found);
              } else if (found != null) {
                // A client would ask for its ends again and again until its time is over.
                unknown.add(topic);
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
    ListOffsetsResult ends = admin().listOffsets(last, new ListOffsetsOptions().timeoutMs(ENDS));
    // Asked last: what is removed meanwhile is missing here, not read as if it had never been.
    ListOffsetsResult starts = admin().listOffsets(first, new ListOffsetsOptions().timeoutMs(ENDS));
    Map<String, Ends> all = new HashMap<>();
    there.forEach(
        (topic, description) -> {
          List<Span> spans = new ArrayList<>();
          List<Long> epochs = new ArrayList<>();
          for (int p = 0; p < description.partitions().size(); p++) {
            TopicPartition partition = new TopicPartition(topic, p);
            var to = answer(ends.partitionResult(partition), e -> true, topic, unknown);
            var from = answer(starts.partitionResult(partition), e -> true, topic, unknown);
            if (to != null && from != null) {
              spans.add(new Span(from.offset(), Math.max(from.offset(), to.offset())));
              epochs.add(to.leaderEpoch().map(Long::valueOf).orElse(StreamReach.UNKNOWN));
            }
          }
          if (spans.size() == description.partitions().size()) {
            all.put(topic, new Ends(description.topicId().toString(), spans, epochs));
          }
        });
    return new Answers(all, unknown);
  }

  private static boolean isLed(TopicPartitionInfo partition) {
    return partition.leader() != null && !partition.leader().isEmpty();
  }

  /** Whether what passes concerns the topic that was asked for, not the broker that was asked. */
  private static boolean isOfOneTopic(RetriableException e) {
    return !(e instanceof TimeoutException
        || e instanceof DisconnectException
        || e instanceof NetworkException);
  }

  /**
   * What a broker answers; null if it has no such topic for this client, or does not know now.
   *
   * @param isOfOne whether an error that passes says nothing of other topics
   * @param unknown gets the topic if the broker does not know now
   */
  private static <T> @Nullable T answer(
      KafkaFuture<T> asked,
      Predicate<RetriableException> isOfOne,
      String topic,
      Set<String> unknown) {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException
          || e.getCause() instanceof InvalidTopicException
          || e.getCause() instanceof TopicAuthorizationException) {
        return null;
      }
      if (e.getCause() instanceof RetriableException passing && isOfOne.test(passing)) {
        unknown.add(topic);
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
