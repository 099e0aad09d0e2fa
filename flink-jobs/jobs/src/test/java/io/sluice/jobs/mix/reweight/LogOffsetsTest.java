package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.fetch.TestingTopics;
import io.sluice.jobs.mix.tail.TestingTopicEnds;
import io.sluice.schema.KafkaUnreachableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One log that does not answer keeps a job without state from no other. */
final class LogOffsetsTest {
  private static final Map<String, String> LOGS = Map.of("log.a", "a", "log.b", "b");

  private final TestingTopicEnds ends = new TestingTopicEnds(new TestingTopics());
  private final List<Set<String>> asked = new ArrayList<>();

  private Map<String, Long> newest(Runnable first) {
    return LogOffsets.newest(
        LOGS,
        ends,
        runIds -> {
          asked.add(Set.copyOf(runIds));
          if (asked.size() == 1) {
            first.run();
          }
          return found(runIds);
        });
  }

  private static Map<String, Long> found(Collection<String> runIds) {
    Map<String, Long> found = new HashMap<>();
    runIds.forEach(runId -> found.put(runId, 4L));
    return found;
  }

  private static void fail() {
    throw new KafkaUnreachableException("brokers", Duration.ofSeconds(30), new Exception("none"));
  }

  @Test
  void aLogWithoutALeaderIsNotAskedForItsSnapshot() {
    ends.silence("log.b");
    assertThat(newest(() -> {})).containsOnlyKeys("a");
    assertThat(asked).containsExactly(Set.of("a"));
  }

  @Test
  void aLogThatFallsSilentMeanwhileIsLeftOut() {
    assertThat(
            newest(
                () -> {
                  ends.silence("log.a");
                  fail();
                }))
        .containsOnlyKeys("b");
    assertThat(asked).containsExactly(Set.of("a", "b"), Set.of("b"));
  }

  @Test
  void whereNoneAnswersNothingIsAsked() {
    LOGS.keySet().forEach(ends::silence);
    assertThat(newest(() -> {})).isEmpty();
    assertThat(asked).isEmpty();
  }

  @Test
  void thatNoBrokerAnswersConcernsAll() {
    assertThatThrownBy(() -> newest(LogOffsetsTest::fail))
        .isInstanceOf(KafkaUnreachableException.class);
  }
}
