package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.TestingSchedule;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.junit.jupiter.api.Test;

final class ControlFeedScheduleTest {
  private static final int ENTRIES = 4;

  /** The control logs in memory; each poll is a step, and one of them may fail. */
  private static final class Logs extends MockConsumer<byte[], byte[]> {
    private final TestingSchedule schedule;
    private final Map<TopicPartition, List<byte[]>> logs = new HashMap<>();
    private int pollsUntilBroken = Integer.MAX_VALUE;

    Logs(TestingSchedule schedule) {
      super("none");
      this.schedule = schedule;
    }

    TopicPartition add(TestingRun run) {
      TopicPartition log = run.split().control(Topics.standard());
      List<byte[]> records = logs.computeIfAbsent(log, place -> new ArrayList<>());
      run.log()
          .forEach(
              each -> records.add(WireCodec.encode(ControlWire.write(each.entry(), "test", 0))));
      return log;
    }

    @Override
    public synchronized ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      schedule.step("poll");
      if (pollsUntilBroken-- <= 0) {
        throw new AuthorizationException("not authorized");
      }
      Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> found = new HashMap<>();
      for (TopicPartition log : assignment()) {
        int from = (int) position(log);
        if (from < logs.get(log).size()) {
          found.put(
              log,
              List.of(
                  new ConsumerRecord<>(
                      log.topic(), log.partition(), from, new byte[0], logs.get(log).get(from))));
          seek(log, from + 1);
        }
      }
      return new ConsumerRecords<>(found, Map.of());
    }
  }

  private static TestingRun run(String name) {
    TestingRun run = new TestingRun(name, 2, 0);
    for (int i = 0; i < ENTRIES; i++) {
      run.grant(Weights.uniform(2), 1, 4);
    }
    return run;
  }

  /** The reader's task: takes from the inbox until it has seen what it awaits. */
  private static ReaderMessage take(TestingSchedule schedule, BlockingQueue<ReaderMessage> inbox)
      throws InterruptedException {
    schedule.step("take");
    return inbox.take();
  }

  @Test
  void everyEntryArrivesInOrderThoughTheInboxIsFullAndRunsAreFollowedAgain() {
    TestingRun first = run("a");
    TestingRun second = run("b");
    TestingSchedule.explore(
        schedule -> {
          Logs logs = new Logs(schedule);
          TopicPartition log = logs.add(first);
          logs.add(second);
          BlockingQueue<ReaderMessage> inbox = new ArrayBlockingQueue<>(1);
          ControlFeed feed = new ControlFeed(() -> logs, inbox, () -> {}, () -> {});
          feed.follow("b.1", log, ENTRIES);
          schedule.all(
              () -> {
                Thread reading = new Thread(feed, "control");
                reading.start();
                schedule.step("started");
                feed.follow("a.1", log, 0);
                seesAll(schedule, inbox, Map.of("a.1", 0, "b.1", ENTRIES));
                feed.leave("a.1");
                schedule.step("left");
                feed.follow("a.1", log, 1);
                seesAll(schedule, inbox, Map.of("a.1", 1));
                schedule.step("close");
                feed.close();
                reading.interrupt();
                reading.join();
              });
          assertThat(logs.closed()).isTrue();
        });
  }

  /** Each entry of runs from an offset on; it may come again, and then so do those after it. */
  private static void seesAll(
      TestingSchedule schedule, BlockingQueue<ReaderMessage> inbox, Map<String, Integer> from)
      throws InterruptedException {
    Map<String, Integer> next = new HashMap<>(from);
    while (from.keySet().stream().anyMatch(run -> next.get(run) < end(run))) {
      ReaderMessage.Entry entry = (ReaderMessage.Entry) take(schedule, inbox);
      int offset = (int) entry.offset();
      next.computeIfPresent(
          entry.entry().runId(),
          (run, expected) -> {
            assertThat(offset).isLessThanOrEqualTo(expected);
            return Math.max(expected, offset + 1);
          });
    }
  }

  private static int end(String run) {
    return run.equals("a.1") ? ENTRIES : 2 * ENTRIES;
  }

  @Test
  void aFailureReachesTheTaskThoughTheInboxIsFull() {
    TestingRun run = run("a");
    TestingSchedule.explore(
        schedule -> {
          Logs logs = new Logs(schedule);
          TopicPartition log = logs.add(run);
          logs.pollsUntilBroken = 2;
          BlockingQueue<ReaderMessage> inbox = new ArrayBlockingQueue<>(2);
          ControlFeed feed = new ControlFeed(() -> logs, inbox, () -> {}, () -> {});
          feed.follow("a.1", log, 0);
          List<ReaderMessage> seen = new ArrayList<>();
          schedule.all(
              feed::run,
              () -> {
                for (int message = 0; message < 3; message++) {
                  seen.add(take(schedule, inbox));
                }
              });
          assertThat(seen.get(2)).isInstanceOf(ReaderMessage.Failed.class);
          assertThat(logs.closed()).isTrue();
        });
  }
}
