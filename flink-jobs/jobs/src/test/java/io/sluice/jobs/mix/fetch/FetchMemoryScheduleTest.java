package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.TestingSchedule;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FetchMemoryScheduleTest {
  private static final int DOMAINS = 4;
  private static final long MOST = 8 << 20;

  private static long cost(long share) {
    return FetchMemory.OF_SPLIT + DOMAINS * FetchMemory.OF_DOMAIN + FetchMemory.EACH * share;
  }

  /** A split's task: opens what it is given, uses it, gives it back, and goes. */
  private static final class Task {
    private final TestingSchedule schedule;
    private final FetchMemory.Claim claim;
    private boolean changed;

    Task(TestingSchedule schedule, FetchMemory memory) {
      this.schedule = schedule;
      this.claim = memory.claim(DOMAINS, MOST, this::changed);
    }

    private synchronized void changed() {
      changed = true;
      notifyAll();
    }

    private synchronized void awaitChange() throws InterruptedException {
      while (!changed) {
        wait();
      }
      changed = false;
    }

    void use(AtomicLong used, long bytes, int times) throws InterruptedException {
      for (int i = 0; i < times; i++) {
        claim.join();
        schedule.step("joined");
        long taken = claim.open();
        while (taken == 0) {
          awaitChange();
          schedule.step("changed");
          taken = claim.open();
        }
        assertThat(used.addAndGet(cost(taken))).isLessThanOrEqualTo(bytes);
        schedule.step("opened");
        used.addAndGet(-cost(taken));
        claim.closed(taken);
        schedule.step("closed");
        claim.leave();
      }
    }
  }

  @Test
  void noMoreIsOpenThanThereIsAndEverySplitHasItsTurn() {
    TestingSchedule.explore(
        schedule -> {
          long bytes = 2 * cost(FetchMemory.LEAST);
          FetchMemory memory = new FetchMemory(bytes, System::nanoTime);
          AtomicLong used = new AtomicLong();
          Task[] tasks = new Task[4];
          for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new Task(schedule, memory);
          }
          schedule.all(
              () -> tasks[0].use(used, bytes, 2),
              () -> tasks[1].use(used, bytes, 2),
              () -> tasks[2].use(used, bytes, 2),
              () -> tasks[3].use(used, bytes, 2));
          assertThat(memory.in()).isZero();
          assertThat(memory.waiting()).isZero();
          Task last = new Task(schedule, memory);
          last.claim.join();
          long taken = last.claim.open();
          assertThat(cost(2 * taken)).as("all is given back").isGreaterThan(bytes / 2);
        });
  }
}
