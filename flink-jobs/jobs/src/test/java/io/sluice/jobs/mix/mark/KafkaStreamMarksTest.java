package io.sluice.jobs.mix.mark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.WholeStream;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What counts as a mark, whoever wrote it. */
final class KafkaStreamMarksTest {
  private final Map<String, WholeStream> marks = new HashMap<>();

  private static WholeStream mark(String runId) {
    return new WholeStream(runId, "a", 1, "log", 7L, 1L, "stream", List.of(4L));
  }

  private void take(String key, String runId) {
    WholeStream mark = mark(runId);
    KafkaStreamMarks.take(
        new ConsumerRecord<>(
            "streams", 0, 0, key.getBytes(StandardCharsets.UTF_8), WireCodec.encode(mark)),
        marks);
  }

  @Test
  void aMarkIsOfTheRunThatItsKeyNames() {
    take("a.1", "a.1");
    take("a.2", "a.1");
    assertThat(marks).containsOnlyKeys("a.1");
  }

  @Test
  void aRunsIdIsItsNameADotAndMore() {
    assertThat(StreamMarks.isOf("a.1", mark("a.1"))).isTrue();
    assertThat(StreamMarks.isOf("ab.1", mark("ab.1"))).as("of another name").isFalse();
    assertThat(StreamMarks.isOf("a", mark("a"))).isFalse();
    assertThat(StreamMarks.isOf("a.1", mark("a.2"))).as("of another run").isFalse();
  }

  @Test
  void whatCouldNotBeTakenBackIsNone() {
    // Compressed, brokers take records that no producer of ours could write.
    String huge = "a." + "1".repeat(2 << 20);
    take(huge, huge);
    assertThat(marks).isEmpty();
  }
}
