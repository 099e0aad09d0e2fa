package io.sluice.jobs.mix.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.TestingSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a stream writer shares with its producer's thread and with that which watches topics. */
final class UnsentBytesScheduleTest {
  private static final long LONG = TimeUnit.HOURS.toMillis(1);

  @Test
  void whoWaitsIsWokenByTheLastRecordWheneverItIsDelivered() {
    TestingSchedule.explore(
        schedule -> {
          UnsentBytes unsent = new UnsentBytes();
          List<String> handed = new ArrayList<>();
          schedule.all(
              () -> {
                for (String run : List.of("a", "b", "a", "b")) {
                  unsent.sent(run);
                  synchronized (handed) {
                    handed.add(run);
                  }
                  schedule.step("sent");
                }
                boolean none = false;
                while (!none) {
                  none =
                      unsent.awaitNone(
                          run -> {
                            schedule.step("ask");
                            return false;
                          },
                          LONG);
                }
                unsent.sent("a");
                unsent.done("a");
                assertThat(unsent.awaitNone(run -> false, 1)).as("no run is forgotten").isTrue();
              },
              () -> deliver(schedule, unsent, handed),
              () -> deliver(schedule, unsent, handed));
        });
  }

  private static void deliver(TestingSchedule schedule, UnsentBytes unsent, List<String> handed) {
    for (int done = 0; done < 2; ) {
      schedule.step("deliver");
      @Nullable String run;
      synchronized (handed) {
        run = handed.isEmpty() ? null : handed.remove(0);
      }
      if (run != null) {
        unsent.done(run);
        done++;
      }
    }
  }

  /** Topics that are refused at every look, with a step before the answer. */
  private record Refusing(TestingSchedule schedule) implements StreamTopics {
    @Override
    public Map<StreamTarget, String> refusals(Set<StreamTarget> targets) {
      schedule.step("look");
      Map<StreamTarget, String> refusals = new TreeMap<>((a, b) -> a.runId().compareTo(b.runId()));
      targets.forEach(target -> refusals.put(target, "gone"));
      return refusals;
    }

    @Override
    public void awaitLeaders(StreamTarget target) {
      schedule.step("leaders");
    }

    @Override
    public void close() {
      schedule.step("close");
    }
  }

  @Test
  void aRefusedTopicIsToldOnceAndNeverAfterItIsRemoved() {
    TestingSchedule.explore(
        schedule -> {
          StreamTarget kept = new StreamTarget("kept", "stream.kept", "1");
          StreamTarget left = new StreamTarget("left", "stream.left", "2");
          List<StreamTarget> told = new ArrayList<>();
          Set<StreamTarget> removed = new HashSet<>();
          TopicWatch watch =
              new TopicWatch(
                  new Refusing(schedule),
                  Duration.ofHours(1),
                  (target, reason) -> {
                    assertThat(removed).doesNotContain(target);
                    told.add(target);
                  });
          watch.start("watch");
          schedule.all(
              () -> {
                watch.add(kept);
                watch.add(left);
                schedule.step("added");
                watch.remove(left);
                removed.add(left);
              },
              () -> {
                for (int look = 0; look < TopicWatch.LOOKS; look++) {
                  watch.look();
                }
              });
          for (int look = 0; look < TopicWatch.LOOKS; look++) {
            watch.look();
          }
          assertThat(told).containsOnlyOnce(kept).size().isLessThanOrEqualTo(2);
          watch.close();
        });
  }
}
