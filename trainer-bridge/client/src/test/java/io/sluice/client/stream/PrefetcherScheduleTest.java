package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.TestingSchedule;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.Test;

final class PrefetcherScheduleTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final int[] SIZES = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final TestingStream WRITTEN = new TestingStream(1, SIZES);

  private static TestingConsumer<ByteBuffer> topic() {
    TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(1);
    topic.create(TestingReaders.STREAM, 1);
    WRITTEN.sequences().forEach(each -> topic.append(TestingReaders.STREAM, each));
    return topic;
  }

  private static StreamReader reader(TestingConsumer<ByteBuffer> topic) {
    return TestingReaders.open(
        WRITTEN.run(),
        TestingReaders.STREAM,
        topic,
        TestingReaders.log(List.of(TestingLog.started(WRITTEN.run()))),
        StreamOptions.defaults());
  }

  /** Each poll is a step; some may fail. */
  private static void beforeEachPoll(TestingConsumer<ByteBuffer> topic, Runnable step) {
    topic.beforePoll(
        () -> {
          beforeEachPoll(topic, step);
          step.run();
        });
  }

  private static void nextIs(Prefetcher prefetcher, TestingSchedule schedule, long batch) {
    schedule.step("next");
    assertThat(prefetcher.next(LONG, () -> {}).batch().batch()).isEqualTo(batch);
  }

  @Test
  void eachBatchIsHandedOutOnceAndInOrderThroughStops() {
    TestingSchedule.explore(
        schedule -> {
          TestingConsumer<ByteBuffer> topic = topic();
          StreamReader reader = reader(topic);
          beforeEachPoll(topic, () -> schedule.step("poll"));
          Prefetcher prefetcher = new Prefetcher(reader, 100, LONG);
          schedule.all(
              () -> {
                prefetcher.start();
                nextIs(prefetcher, schedule, 1);
                nextIs(prefetcher, schedule, 2);
                schedule.step("stop");
                prefetcher.stop();
                reader.seekToBatch(3);
                prefetcher.start();
                for (int batch = 3; batch <= 6; batch++) {
                  nextIs(prefetcher, schedule, batch);
                }
                schedule.step("close");
                prefetcher.close();
              });
          assertThat(topic.wasClosed()).isTrue();
        });
  }

  @Test
  void anErrorReachesWhoeverWaitsAfterTheBatchesBeforeIt() {
    TestingSchedule.explore(
        schedule -> {
          TestingConsumer<ByteBuffer> topic = topic();
          StreamReader reader = reader(topic);
          AtomicInteger polls = new AtomicInteger();
          beforeEachPoll(
              topic,
              () -> {
                schedule.step("poll");
                if (polls.incrementAndGet() > 4) {
                  throw new OutOfMemoryError("heap");
                }
              });
          Prefetcher prefetcher = new Prefetcher(reader, 1 << 20, LONG);
          schedule.all(
              () -> {
                prefetcher.start();
                nextIs(prefetcher, schedule, 1);
                nextIs(prefetcher, schedule, 2);
                assertThatThrownBy(() -> prefetcher.next(LONG, () -> {}))
                    .isInstanceOf(OutOfMemoryError.class);
                prefetcher.close();
              });
        });
  }

  @Test
  void anInterruptEndsTheWaitAndLosesNothing() {
    TestingSchedule.explore(
        schedule -> {
          TestingConsumer<ByteBuffer> topic = topic();
          StreamReader reader = reader(topic);
          beforeEachPoll(topic, () -> schedule.step("poll"));
          Prefetcher prefetcher = new Prefetcher(reader, 100, LONG);
          Thread[] trainer = new Thread[1];
          schedule.all(
              () -> {
                synchronized (trainer) {
                  trainer[0] = Thread.currentThread();
                }
                prefetcher.start();
                for (int batch = 1; batch <= 4; batch++) {
                  try {
                    nextIs(prefetcher, schedule, batch);
                  } catch (InterruptException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    nextIs(prefetcher, schedule, batch);
                  }
                }
                prefetcher.close();
                Thread.interrupted();
              },
              () -> {
                schedule.step("interrupt");
                synchronized (trainer) {
                  if (trainer[0] != null) {
                    trainer[0].interrupt();
                  }
                }
              });
        });
  }
}
