package io.sluice.control.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

class OrderedWorkTest {
  private final List<String> out = new ArrayList<>();
  private final Semaphore woken = new Semaphore(0);

  @Test
  void whatIsDoneFirstWaitsForWhatCameFirst() throws Exception {
    CountDownLatch second = new CountDownLatch(1);
    try (OrderedWork<String> work = work(2, 100)) {
      work.add(
          () -> {
            second.await();
            return "first";
          },
          1);
      work.add(
          () -> {
            second.countDown();
            return "second";
          },
          1);
      work.drain();
    }
    assertThat(out).containsExactly("first", "second");
  }

  @Test
  void theOwnerIsWokenAndNotAgainBeforeItHasLooked() throws Exception {
    try (OrderedWork<String> work = work(1, 100)) {
      CountDownLatch added = new CountDownLatch(1);
      work.add(
          () -> {
            added.await();
            return "a";
          },
          1);
      CountDownLatch last = new CountDownLatch(1);
      work.add(() -> "b", 1);
      CountDownLatch lastBegun = new CountDownLatch(1);
      work.add(
          () -> {
            lastBegun.countDown();
            last.await();
            return "c";
          },
          1);
      added.countDown();
      lastBegun.await();
      assertThat(woken.availablePermits()).isEqualTo(1);
      work.emit();
      assertThat(out).containsExactly("a", "b");
      last.countDown();
      woken.acquire(2);
      work.emit();
      assertThat(out).containsExactly("a", "b", "c");
    }
  }

  @Test
  void moreThanItsBytesWaitForTheFirstToLeave() throws Exception {
    CountDownLatch wanted = new CountDownLatch(1);
    try (OrderedWork<String> work = work(1, 100)) {
      work.add(() -> "huge", 1000);
      work.add(
          () -> {
            wanted.await();
            return "b";
          },
          60);
      assertThat(out).containsExactly("huge");
      work.add(() -> "c", 40);
      assertThat(out).containsExactly("huge");
      wanted.countDown();
      work.add(() -> "d", 1);
      assertThat(out).startsWith("huge", "b");
    }
  }

  @Test
  void aFailureComesInItsTurnAndAsItWas() throws Exception {
    try (OrderedWork<String> work = work(2, 100)) {
      work.add(() -> "a", 1);
      work.add(
          () -> {
            throw new IllegalStateException("broken");
          },
          1);
      assertThatThrownBy(work::drain)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("broken");
      assertThat(out).containsExactly("a");
    }
  }

  @Test
  void closingWaitsForWhatHasBegunAndDropsTheRest() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    List<String> done = new ArrayList<>();
    OrderedWork<String> work = work(1, 100);
    work.add(
        () -> {
          begun.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException asked) {
            done.add("first");
          }
          return "first";
        },
        1);
    work.add(
        () -> {
          done.add("second");
          return "second";
        },
        1);
    begun.await();
    work.close();
    assertThat(done).containsExactly("first");
    assertThat(out).isEmpty();
  }

  @Test
  void smallWorkBeginsInPiecesOfTheSizeGivenWhileOtherIsAtWork() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    Queue<String> begun = new ConcurrentLinkedQueue<>();
    try (OrderedWork<String> work =
        new OrderedWork<>("work", 2, 3, 100, out::add, woken::release)) {
      work.add(
          () -> {
            first.await();
            return "a";
          },
          1);
      work.add(() -> begins(begun, "b"), 1);
      work.add(() -> begins(begun, "c"), 1);
      assertThat(begun).isEmpty();
      work.add(() -> begins(begun, "d"), 1);
      woken.acquire();
      assertThat(begun).containsExactly("b", "c", "d");
      assertThat(out).isEmpty();
      first.countDown();
      work.drain();
    }
    assertThat(out).containsExactly("a", "b", "c", "d");
  }

  @Test
  void whatWasGatheredBeginsWhenNothingElseIsAtWork() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    try (OrderedWork<String> work =
        new OrderedWork<>("work", 2, 50, 100, out::add, woken::release)) {
      work.add(
          () -> {
            first.await();
            return "a";
          },
          1);
      work.add(() -> "b", 1);
      first.countDown();
      woken.acquire();
      work.emit();
      assertThat(out).startsWith("a");
      woken.acquire();
      work.emit();
    }
    assertThat(out).containsExactly("a", "b");
  }

  @Test
  void whatStoodBeforeAFailureInItsPieceLeavesBeforeIt() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    try (OrderedWork<String> work =
        new OrderedWork<>("work", 1, 50, 100, out::add, woken::release)) {
      work.add(
          () -> {
            first.await();
            return "a";
          },
          1);
      work.add(() -> "b", 1);
      work.add(
          () -> {
            throw new IllegalStateException("broken");
          },
          1);
      work.add(() -> "d", 1);
      first.countDown();
      assertThatThrownBy(work::drain).hasMessage("broken");
    }
    assertThat(out).containsExactly("a", "b");
  }

  private static String begins(Queue<String> begun, String work) {
    begun.add(work);
    return work;
  }

  /** Every work is a piece of its own. */
  private OrderedWork<String> work(int threads, long mostBytes) {
    return new OrderedWork<>("work", threads, 1, mostBytes, out::add, woken::release);
  }
}
