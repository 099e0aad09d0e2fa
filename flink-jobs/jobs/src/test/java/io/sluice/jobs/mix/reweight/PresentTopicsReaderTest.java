package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PresentTopicsReaderTest {
  private final Set<String> topics = new HashSet<>(Set.of("control"));
  private final Recorder inner = new Recorder();
  private final PresentTopicsReader<String> reader =
      new PresentTopicsReader<>(inner, () -> Set.copyOf(topics), "log.");

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
            split("control", 7), split("feedback.gone", KafkaPartitionSplit.EARLIEST_OFFSET));
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

  private static KafkaPartitionSplit split(String topic, long offset) {
    return new KafkaPartitionSplit(new TopicPartition(topic, 0), offset);
  }

  /** Remembers its splits and never has a record. */
  private static final class Recorder implements SourceReader<String, KafkaPartitionSplit> {
    private final List<KafkaPartitionSplit> splits = new ArrayList<>();
    private final CompletableFuture<Void> available = new CompletableFuture<>();

    @Override
    public void start() {
      splits.clear();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) {
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return splits;
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return available;
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> added) {
      splits.addAll(added);
    }

    @Override
    public void notifyNoMoreSplits() {
      splits.clear();
    }

    @Override
    public void close() {
      splits.clear();
    }
  }
}
