package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.rest.QuietTopics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When all topics are listed, and what is found then. */
class HintedTopicsTest {
  private static final TopicPartition RUNS = new TopicPartition("runs", 0);

  private static final String RESTS = "control.rests";

  private final Set<String> quiet = new HashSet<>(Set.of(RESTS));
  private final Set<String> lost = new TreeSet<>();
  private final HintedTopics topics =
      new HintedTopics(Pattern.compile("runs|control\\..+"), List.of("runs"), new Quiet());
  private final Set<String> there = new TreeSet<>();
  private final Set<String> described = new TreeSet<>();
  private final Set<String> gone = new HashSet<>();
  private long end;
  private long now;
  private int lists;
  private boolean away;

  @SuppressWarnings("serial") // It is not sent anywhere.
  private final class Quiet implements QuietTopics {
    @Override
    public boolean isQuiet(String topic) {
      return quiet.contains(topic);
    }

    @Override
    public void gone(Set<String> names) {
      lost.addAll(names);
    }
  }

  @BeforeEach
  void oneRun() {
    there.addAll(List.of("runs", "blocks.many", "control.a"));
  }

  private Set<TopicPartition> look() {
    return topics.look(now, () -> Map.of(RUNS, end), this::list, this::describe);
  }

  private Set<String> list() {
    if (away) {
      throw new KafkaException("away");
    }
    lists++;
    return new TreeSet<>(there);
  }

  private Set<String> describe(Set<String> names) {
    described.addAll(names);
    Set<String> found = new HashSet<>(names);
    found.removeAll(gone);
    return found;
  }

  /** Looks once a second for so long that nothing is news any more. */
  private void settle() {
    for (int second = 0; second < 60; second++) {
      pass(1);
      look();
    }
    lists = 0;
  }

  private void pass(long seconds) {
    now += TimeUnit.SECONDS.toNanos(seconds);
  }

  @Test
  void theFirstLookFindsTheFirstPartitionsOfThePattern() {
    assertThat(look()).containsExactlyInAnyOrder(RUNS, new TopicPartition("control.a", 0));
    assertThat(described).doesNotContain("blocks.many");
  }

  @Test
  void topicsAreListedSeldomWhileNobodyTellsOfAny() {
    look();
    settle();
    for (int second = 0; second < 60; second++) {
      pass(1);
      look();
    }
    assertThat(lists).isEqualTo(6);
  }

  @Test
  void whatIsToldOfIsFoundAtOnceAndWhatIsMadeSoonAfterToo() {
    look();
    settle();
    end++;
    there.add("control.b");
    pass(1);
    assertThat(look()).contains(new TopicPartition("control.b", 0));
    there.add("control.c");
    pass(5);
    assertThat(look()).contains(new TopicPartition("control.c", 0));
    assertThat(lists).isEqualTo(2);
  }

  @Test
  void whatNobodyTellsOfIsFoundAll() {
    look();
    settle();
    there.add("control.b");
    pass(10);
    assertThat(look()).contains(new TopicPartition("control.b", 0));
  }

  @Test
  void onlyNewTopicsAreDescribedAndThoseThatAreGoneForgotten() {
    look();
    described.clear();
    there.add("control.b");
    there.remove("control.a");
    end++;
    assertThat(look()).containsExactlyInAnyOrder(RUNS, new TopicPartition("control.b", 0));
    assertThat(described).containsExactly("control.a", "control.b");
  }

  @Test
  void whatIsGoneIsToldOnceAnotherQuestionSaysSo() {
    look();
    there.remove("control.a");
    end++;
    look();
    assertThat(lost).as("one broker does not name it").isEmpty();
    there.add("control.a");
    pass(1);
    look();
    gone.add("control.a");
    there.remove("control.a");
    pass(1);
    assertThat(look()).containsExactly(RUNS);
    assertThat(lost).containsExactly("control.a");
    lost.clear();
    pass(1);
    look();
    assertThat(lost).isEmpty();
  }

  @Test
  void aTopicThatCannotBeDescribedYetIsLookedAtAgain() {
    gone.add("control.a");
    assertThat(look()).containsExactly(RUNS);
    gone.clear();
    assertThat(look()).contains(new TopicPartition("control.a", 0));
  }

  @Test
  void aListThatFailsIsAskedForAgain() {
    look();
    settle();
    away = true;
    end++;
    assertThatThrownBy(this::look).isInstanceOf(KafkaException.class);
    away = false;
    pass(60);
    there.add("control.b");
    assertThat(look()).contains(new TopicPartition("control.b", 0));
  }

  @Test
  void leavesOutWhatIsQuietUntilItIsNotAndDoesNotAskForIt() {
    there.add(RESTS);
    assertThat(look()).doesNotContain(new TopicPartition(RESTS, 0)).contains(RUNS);
    assertThat(described).doesNotContain(RESTS);
    settle();
    quiet.clear();
    end++;
    pass(1);
    assertThat(look()).contains(new TopicPartition(RESTS, 0), RUNS);
  }
}
