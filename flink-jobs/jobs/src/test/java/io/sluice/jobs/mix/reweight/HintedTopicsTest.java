package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

  private final HintedTopics topics =
      new HintedTopics(Pattern.compile("runs|control\\..+"), List.of("runs"));
  private final Map<String, Integer> there = new TreeMap<>();
  private final Set<String> described = new TreeSet<>();
  private final Set<String> gone = new HashSet<>();
  private long end;
  private long now;
  private int lists;
  private boolean away;

  @BeforeEach
  void oneRun() {
    there.put("runs", 1);
    there.put("blocks.many", 7);
    there.put("control.a", 1);
  }

  private Set<TopicPartition> look() {
    return topics.look(now, () -> Map.of(RUNS, end), this::list, this::sizes);
  }

  private Set<String> list() {
    if (away) {
      throw new KafkaException("away");
    }
    lists++;
    return new TreeSet<>(there.keySet());
  }

  private Map<String, Integer> sizes(Set<String> names) {
    described.addAll(names);
    Map<String, Integer> sizes = new HashMap<>();
    names.forEach(name -> sizes.put(name, there.getOrDefault(name, 1)));
    sizes.keySet().removeAll(gone);
    return sizes;
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
  void theFirstLookFindsAllPartitionsOfThePattern() {
    there.put("control.wide", 2);
    assertThat(look())
        .containsExactlyInAnyOrder(
            RUNS,
            new TopicPartition("control.a", 0),
            new TopicPartition("control.wide", 0),
            new TopicPartition("control.wide", 1));
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
    there.put("control.b", 1);
    pass(1);
    assertThat(look()).contains(new TopicPartition("control.b", 0));
    there.put("control.c", 1);
    pass(5);
    assertThat(look()).contains(new TopicPartition("control.c", 0));
    assertThat(lists).isEqualTo(2);
  }

  @Test
  void whatNobodyTellsOfIsFoundAll() {
    look();
    settle();
    there.put("control.b", 1);
    pass(10);
    assertThat(look()).contains(new TopicPartition("control.b", 0));
  }

  @Test
  void onlyNewTopicsAreDescribedAndThoseThatAreGoneForgotten() {
    look();
    described.clear();
    there.put("control.b", 1);
    there.remove("control.a");
    end++;
    assertThat(look()).containsExactlyInAnyOrder(RUNS, new TopicPartition("control.b", 0));
    assertThat(described).containsExactly("control.b");
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
    there.put("control.b", 1);
    assertThat(look()).contains(new TopicPartition("control.b", 0));
  }
}
