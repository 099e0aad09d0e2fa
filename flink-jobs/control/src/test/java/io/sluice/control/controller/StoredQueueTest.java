package io.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StoredQueueTest {
  private final TestingRunStore store = new TestingRunStore();
  private int read;

  private StoredQueue<Integer> open() {
    return new StoredQueue<>(store, "q/", store.load(), this::read);
  }

  private int read(byte[] bytes) {
    read++;
    return Integer.parseInt(text(bytes));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(int number) {
    return Integer.toString(number).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsTakenIsWhatMeetsTheConditionInTheOrderOfArrival() {
    StoredQueue<Integer> queue = open();
    IntStream.range(0, 100).forEach(i -> queue.add(bytes(i * 37 % 100)));
    List<Integer> left = new ArrayList<>(queue.all());
    for (int bound = 10; bound <= 100; bound += 10) {
      int below = bound;
      List<Integer> wanted = left.stream().filter(each -> each < below).toList();
      assertThat(queue.takeIf(each -> each < below).stream().map(StoredQueueTest::text))
          .containsExactlyElementsOf(wanted.stream().map(String::valueOf).toList());
      left.removeAll(wanted);
      assertThat(queue.all()).isEqualTo(left);
      assertThat(open().all()).isEqualTo(left);
      assertThat(queue.bytes()).isEqualTo(left.stream().mapToLong(i -> bytes(i).length).sum());
    }
    assertThat(store.load()).isEmpty();
  }

  @Test
  void theOldestIsRemovedFirst() {
    StoredQueue<Integer> queue = open();
    IntStream.of(7, 5, 6).forEach(i -> queue.add(bytes(i)));
    assertThat(queue.removeFirst()).isEqualTo(bytes(7));
    assertThat(queue.all()).containsExactly(5, 6);
    assertThat(open().all()).containsExactly(5, 6);
  }

  @Test
  void aRecordIsReadOnceHoweverOftenItIsAskedFor() {
    StoredQueue<Integer> queue = open();
    IntStream.range(0, 5).forEach(i -> queue.add(bytes(i)));
    assertThat(queue.takeIf(each -> false)).isEmpty();
    assertThat(queue.takeIf(each -> each > 3)).hasSize(1);
    assertThat(queue.all()).containsExactly(0, 1, 2, 3);
    assertThat(read).isEqualTo(5);
  }
}
