package io.sluice.jobs.mix.stream;

import io.sluice.control.topics.TopicLeaders;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stream topics as the broker describes them. */
final class KafkaStreamTopics implements StreamTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaStreamTopics.class);
  private static final int TIMEOUT_MILLIS = 10_000;
  private static final Duration WAIT = Duration.ofMillis(TIMEOUT_MILLIS);

  private final Admin admin;

  KafkaStreamTopics(KafkaAccess access) {
    admin =
        Admin.create(
            access.with(
                Map.of(
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                    TIMEOUT_MILLIS,
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    TIMEOUT_MILLIS)));
  }

  @Override
  public Map<StreamTarget, String> refusals(Set<StreamTarget> targets) {
    Map<StreamTarget, String> refusals = new HashMap<>();
    if (targets.isEmpty()) {
      return refusals;
    }
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin
            .describeTopics(targets.stream().map(StreamTarget::topic).distinct().toList())
            .topicNameValues();
    for (StreamTarget target : targets) {
      refusal(target, Objects.requireNonNull(answers.get(target.topic())))
          .ifPresent(why -> refusals.put(target, why));
    }
    return refusals;
  }

  private static Optional<String> refusal(
      StreamTarget target, KafkaFuture<TopicDescription> answer) {
    try {
      String found = answer.get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS).topicId().toString();
      return target.topicId().isEmpty() || found.equals(target.topicId())
          ? Optional.empty()
          : Optional.of(
              "topic "
                  + target.topic()
                  + " is not the one that the run was started with: its id is "
                  + found
                  + ", not "
                  + target.topicId());
    } catch (ExecutionException e) {
      return reason(target, e.getCause());
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  private static Optional<String> reason(StreamTarget target, @Nullable Throwable cause) {
    if (cause instanceof UnknownTopicOrPartitionException) {
      return Optional.of("topic " + target.topic() + " does not exist");
    }
    if (cause instanceof InvalidTopicException || cause instanceof TopicAuthorizationException) {
      return Optional.of("topic " + target.topic() + " is refused: " + cause.getMessage());
    }
    return Optional.empty();
  }

  @Override
  public void awaitLeaders(StreamTarget target) {
    String topic = target.topic();
    try {
      TopicLeaders.await(admin, List.of(topic), WAIT);
    } catch (ExecutionException e) {
      LOG.warn("Topic {} may not take records yet: {}", topic, String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(1));
  }
}
