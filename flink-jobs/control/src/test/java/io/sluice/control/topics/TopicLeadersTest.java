package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class TopicLeadersTest {
  private static final Duration LONG = Duration.ofHours(1);

  private static KafkaFuture<String> refused(RuntimeException why) {
    KafkaFutureImpl<String> future = new KafkaFutureImpl<>();
    future.completeExceptionally(why);
    return future;
  }

  @Test
  void asksAgainWhileTheBrokerHasYetToHearOfTheTopic() throws Exception {
    Deque<KafkaFuture<String>> answers =
        new ArrayDeque<>(
            List.of(
                refused(new UnknownTopicOrPartitionException("new")),
                refused(new UnknownTopicOrPartitionException("new")),
                KafkaFuture.completedFuture("known")));
    String answer = TopicLeaders.onceKnown(answers::remove, LONG);
    assertThat(answer).isEqualTo("known");
    assertThat(answers).isEmpty();
  }

  @Test
  void passesOnWhatWaitingDoesNotMend() {
    assertThatThrownBy(
            () -> TopicLeaders.onceKnown(() -> refused(new InvalidTopicException("name")), LONG))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(InvalidTopicException.class);
  }

  @Test
  void givesUpOnATopicThatStaysUnknown() {
    assertThatThrownBy(
            () ->
                TopicLeaders.onceKnown(
                    () -> refused(new UnknownTopicOrPartitionException("gone")), Duration.ZERO))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(UnknownTopicOrPartitionException.class);
  }
}
