package io.sluice.jobs.mix.tail;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class UnansweredTest {
  private long nanos = Long.MAX_VALUE - 5;
  private final Unanswered<String> waiting = new Unanswered<>(() -> nanos);

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void whatWaitsIsDueAfterAPause() {
    Duration apart = Unanswered.PAUSE.dividedBy(4);
    waiting.add("a", "topic-a");
    pass(apart);
    waiting.add("b", "topic-b");
    assertThat(waiting.due()).isEmpty();
    pass(Unanswered.PAUSE.minus(apart));
    assertThat(waiting.due()).containsExactly("a");
    assertThat(waiting.size()).isEqualTo(1);
    pass(apart);
    assertThat(waiting.due()).containsExactly("b");
    assertThat(waiting.due()).isEmpty();
  }

  @Test
  void whichTopicsAreWaitedForIsSaidOnceAMinute() {
    assertThat(waiting.notice()).isEmpty();
    waiting.add("a", "topic-a");
    waiting.add("b", "topic-a");
    assertThat(waiting.notice()).hasValueSatisfying(said -> assertThat(said).contains("topic-a:"));
    waiting.due();
    waiting.add("c", "topic-c");
    pass(Unanswered.NOTICE.minusSeconds(1));
    assertThat(waiting.notice()).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(waiting.notice())
        .hasValueSatisfying(said -> assertThat(said).contains("2 topics", "topic-a, topic-c"));
    waiting.clear();
    pass(Unanswered.NOTICE);
    assertThat(waiting.notice()).isEmpty();
  }

  @Test
  void aNoticeNamesFewOfManyTopics() {
    for (int i = 0; i < 10_000; i++) {
      waiting.add("run", "topic-" + i);
    }
    assertThat(waiting.notice())
        .hasValueSatisfying(said -> assertThat(said).contains("10000 topics").hasSizeLessThan(300));
  }
}
