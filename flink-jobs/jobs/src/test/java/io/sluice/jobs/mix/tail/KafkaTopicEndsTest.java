package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is made of the answers of brokers. */
final class KafkaTopicEndsTest {
  private static final Node LEADER = new Node(1, "broker", 9092);
  private static final Uuid ID = new Uuid(4, 2);

  private final Map<String, Object> described = new HashMap<>();
  private final Map<TopicPartition, Exception> refused = new HashMap<>();
  private final Set<TopicPartition> asked = new HashSet<>();
  private final TopicEnds ends = new KafkaTopicEnds(this::admin);

  private Admin admin() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "describeTopics" -> describe((Collection<?>) arguments[0]);
                  case "listOffsets" -> list((Map<?, ?>) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static final class Described extends DescribeTopicsResult {
    @SuppressWarnings("NullAway") // As the client does for names.
    Described(Map<String, KafkaFuture<TopicDescription>> answers) {
      super(null, answers);
    }
  }

  private DescribeTopicsResult describe(Collection<?> topics) {
    Map<String, KafkaFuture<TopicDescription>> answers = new HashMap<>();
    for (Object topic : topics) {
      KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
      Object said = described.get(topic);
      if (said instanceof Exception why) {
        answer.completeExceptionally(why);
      } else {
        answer.complete((TopicDescription) said);
      }
      answers.put((String) topic, answer);
    }
    return new Described(answers);
  }

  /** Partitions hold what is from offset 3 up to 7. */
  private ListOffsetsResult list(Map<?, ?> partitions) {
    Map<TopicPartition, KafkaFuture<ListOffsetsResultInfo>> answers = new HashMap<>();
    partitions.forEach(
        (of, spec) -> {
          TopicPartition partition = (TopicPartition) of;
          asked.add(partition);
          KafkaFutureImpl<ListOffsetsResultInfo> answer = new KafkaFutureImpl<>();
          Exception why = refused.get(partition);
          if (why != null) {
            answer.completeExceptionally(why);
          } else {
            long offset = spec instanceof OffsetSpec.EarliestSpec ? 3 : 7;
            answer.complete(new ListOffsetsResultInfo(offset, -1, Optional.of(5)));
          }
          answers.put(partition, answer);
        });
    return new ListOffsetsResult(answers);
  }

  private void topic(String name, @Nullable Node... leaders) {
    List<TopicPartitionInfo> partitions = new ArrayList<>();
    for (Node leader : leaders) {
      partitions.add(
          new TopicPartitionInfo(partitions.size(), leader, List.of(LEADER), List.of(LEADER)));
    }
    described.put(name, new TopicDescription(name, false, partitions, Set.of(), ID));
  }

  private static Ends whole(int partitions) {
    return new Ends(
        ID.toString(),
        Collections.nCopies(partitions, new Span(3, 7)),
        Collections.nCopies(partitions, 5L));
  }

  @Test
  void aTopicIsThereOrGone() {
    topic("there", LEADER, LEADER);
    described.put("gone", new UnknownTopicOrPartitionException());
    described.put("foreign", new TopicAuthorizationException("no"));
    TopicEnds.Answers answers = ends.of(List.of("there", "gone", "foreign"));
    assertThat(answers.ends()).containsExactly(Map.entry("there", whole(2)));
    assertThat(answers.unknown()).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // As the client says that there is none.
  void aPartitionWithoutALeaderHidesItsTopicAlone() {
    topic("there", LEADER);
    topic("half", LEADER, null);
    topic("none", Node.noNode());
    described.put("new", new LeaderNotAvailableException("not yet"));
    TopicEnds.Answers answers = ends.of(List.of("there", "half", "none", "new"));
    assertThat(answers.ends()).containsExactly(Map.entry("there", whole(1)));
    assertThat(answers.unknown()).containsExactlyInAnyOrder("half", "none", "new");
    assertThat(asked).as("nobody waits for them").containsExactly(new TopicPartition("there", 0));
  }

  @Test
  void aLeaderThatDoesNotAnswerHidesItsTopicsAlone() {
    topic("there", LEADER);
    topic("silent", LEADER, LEADER);
    topic("moved", LEADER);
    refused.put(new TopicPartition("silent", 1), new TimeoutException("no answer"));
    refused.put(new TopicPartition("moved", 0), new NotLeaderOrFollowerException("no more"));
    TopicEnds.Answers answers = ends.of(List.of("there", "silent", "moved"));
    assertThat(answers.ends()).containsOnlyKeys("there");
    assertThat(answers.unknown()).containsExactlyInAnyOrder("silent", "moved");
  }

  @Test
  void thatNoBrokerAnswersConcernsAll() {
    described.put("a", new TimeoutException("no broker"));
    described.put("b", new TimeoutException("no broker"));
    assertThatThrownBy(() -> ends.of(List.of("a", "b")))
        .isInstanceOf(KafkaException.class)
        .hasMessageContaining("no broker");
  }

  @Test
  void anErrorThatDoesNotPassIsNoAnswer() {
    topic("there", LEADER);
    refused.put(new TopicPartition("there", 0), new UnknownServerException("odd"));
    assertThatThrownBy(() -> ends.of(List.of("there"))).hasMessageContaining("odd");
  }
}
