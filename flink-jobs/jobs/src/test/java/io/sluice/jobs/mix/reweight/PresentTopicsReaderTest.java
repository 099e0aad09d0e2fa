package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.rest.RestNews;
import io.sluice.jobs.mix.rest.TestingSourceReader;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PresentTopicsReaderTest {
  private final Set<String> topics = new HashSet<>(Set.of("control"));
  private final TestingSourceReader<String> inner = new TestingSourceReader<>();
  private final PresentTopicsReader<String> reader =
      new PresentTopicsReader<>(inner, new Names(), "log.");

  private final class Names implements PresentTopicsReader.TopicNames {
    @Override
    public Set<String> present() {
      return Set.copyOf(topics);
    }

    @Override
    public Set<String> among(Set<String> names) {
      Set<String> found = new HashSet<>(topics);
      found.retainAll(names);
      return found;
    }
  }

  @Test
  void readsTopicsThatAreThereFromWhereTheyWereLeft() {
    reader.addSplits(List.of(split("control", 7), split("feedback.gone", 3)));
    assertThat(inner.splits).containsExactly(split("control", 7));
  }

  @Test
  void readsASplitThatComesTwiceOnce() {
    reader.addSplits(List.of(split("control", 7)));
    topics.add("log.run");
    reader.addSplits(List.of(split("control", 7), split("log.run", 0), split("log.run", 0)));
    assertThat(inner.splits).containsExactly(split("control", 7), split("log.run", 0));
  }

  @Test
  void keepsTheSplitsOfTopicsThatAreGone() {
    reader.addSplits(List.of(split("control", 7), split("feedback.gone", 3)));
    assertThat(reader.snapshotState(1))
        .containsExactlyInAnyOrder(split("control", 7), split("feedback.gone", 3));
  }

  @Test
  void keepsNothingOfATopicThatIsNeverMadeAgain() {
    reader.addSplits(List.of(split("log.run", 7), split("feedback.gone", 3)));
    assertThat(reader.snapshotState(1)).containsExactly(split("feedback.gone", 3));
  }

  @Test
  void readsATopicThatIsBackFromItsStart() {
    reader.addSplits(List.of(split("control", 7), split("feedback.gone", 3)));
    topics.add("feedback.gone");
    reader.check();
    assertThat(reader.isAvailable()).isCompleted();
    reader.takeBack();
    assertThat(inner.splits)
        .containsExactly(
            split("control", 7), endless("feedback.gone", KafkaPartitionSplit.EARLIEST_OFFSET));
    assertThat(reader.isAvailable()).isNotCompleted();
    assertThat(reader.snapshotState(2)).hasSize(2);
  }

  @Test
  void waitsForTheInnerReaderWhileATopicStaysAway() {
    reader.addSplits(List.of(split("feedback.gone", 3)));
    reader.check();
    assertThat(reader.isAvailable()).isNotCompleted();
    CompletableFuture<Void> available = reader.isAvailable();
    inner.available.complete(null);
    assertThat(available).isCompleted();
  }

  /** The inner reader has come to the end of splits that it was told to end. */
  private void end() {
    Set<KafkaPartitionSplit> ending = new HashSet<>(inner.splits);
    ending.removeIf(split -> split.getStoppingOffset().orElse(1L) > 0);
    inner.splits.removeIf(
        split -> ending.stream().anyMatch(end -> end.splitId().equals(split.splitId())));
  }

  private void gone(String topic) {
    topics.remove(topic);
    reader.handleSourceEvents(new RestNews.Gone(Set.of(topic)));
  }

  @Test
  void aTopicThatIsGoneWhileItIsReadIsLetGoOfAndCommitsNoPlace() {
    topics.add("log.run");
    reader.addSplits(List.of(split("control", 7), split("log.run", 3)));
    gone("log.run");
    assertThat(inner.splits)
        .as("ends before anything, from no place")
        .endsWith(
            new KafkaPartitionSplit(
                new TopicPartition("log.run", 0), KafkaPartitionSplit.COMMITTED_OFFSET, 0));
    gone("log.run");
    assertThat(reader.snapshotState(1))
        .containsExactlyInAnyOrder(split("control", 7), endless("log.run", 3));
    end();
    assertThat(inner.splits).containsExactly(split("control", 7));
    reader.check();
    reader.takeBack();
    assertThat(inner.splits).containsExactly(split("control", 7));
    assertThat(reader.isAvailable()).isNotCompleted();
  }

  @Test
  void aLogThatIsThereAfterAllIsReadOn() {
    topics.add("log.run");
    reader.addSplits(List.of(split("log.run", 3)));
    gone("log.run");
    topics.add("log.run");
    reader.check();
    reader.takeBack();
    assertThat(inner.splits).as("not before it has ended").hasSize(2);
    end();
    reader.check();
    reader.takeBack();
    assertThat(inner.splits).containsExactly(endless("log.run", 3));
    assertThat(reader.snapshotState(1)).containsExactly(endless("log.run", 3));
  }

  @Test
  void aTopicThatIsMadeAnewUnderItsNameIsReadFromItsStart() {
    topics.add("feedback.a");
    reader.addSplits(List.of(split("feedback.a", 3)));
    gone("feedback.a");
    end();
    topics.add("feedback.a");
    reader.check();
    reader.takeBack();
    assertThat(inner.splits)
        .containsExactly(endless("feedback.a", KafkaPartitionSplit.EARLIEST_OFFSET));
  }

  @Test
  void whatIsNotReadIsNotLetGoOf() {
    reader.addSplits(List.of(split("control", 7), split("feedback.gone", 3)));
    gone("feedback.gone");
    gone("feedback.other");
    assertThat(inner.splits).containsExactly(split("control", 7));
    assertThat(reader.snapshotState(1))
        .containsExactlyInAnyOrder(split("control", 7), split("feedback.gone", 3));
  }

  private static KafkaPartitionSplit endless(String topic, long offset) {
    return new KafkaPartitionSplit(new TopicPartition(topic, 0), offset, Long.MAX_VALUE);
  }

  private static KafkaPartitionSplit split(String topic, long offset) {
    return new KafkaPartitionSplit(new TopicPartition(topic, 0), offset);
  }
}
