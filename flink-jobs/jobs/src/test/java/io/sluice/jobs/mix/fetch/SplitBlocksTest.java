package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.source.TestingRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SplitBlocksTest {
  private static final int DOMAINS = 4;
  private static final int SEQUENCES = 400;
  private static final long MOST = 8 << 20;

  private final TestingTopics topics = new TestingTopics();
  private final Semaphore changes = new Semaphore(0);
  private final List<RuntimeException> failures = new ArrayList<>();
  private final List<SplitBlocks> open = new ArrayList<>();
  private final TakenBlock into = new TakenBlock();

  @BeforeEach
  void fill() {
    for (int domain = 0; domain < DOMAINS; domain++) {
      for (int ordinal = 0; ordinal < SEQUENCES; ordinal++) {
        topics.append("b" + domain, ordinal, TestingRun.block(domain, ordinal));
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    open.forEach(SplitBlocks::close);
    for (SplitBlocks blocks : open) {
      blocks.join(Duration.ofSeconds(30));
    }
    assertThat(failures).isEmpty();
  }

  private static FetchMemory memory(int splits, long budget) {
    long each = FetchMemory.OF_SPLIT + DOMAINS * FetchMemory.OF_DOMAIN + FetchMemory.EACH * budget;
    return new FetchMemory(splits * each, System::nanoTime);
  }

  private SplitBlocks blocks(FetchMemory memory, String name) {
    List<TopicPartition> partitions =
        IntStream.range(0, DOMAINS).mapToObj(d -> new TopicPartition("b" + d, 0)).toList();
    SplitBlocks blocks =
        new SplitBlocks(
            new TestingRun(name, DOMAINS).split(),
            new BlockReaders(topics, name, 0, partitions, 3),
            memory.claim(DOMAINS, MOST, changes::release),
            changes::release,
            (from, error) -> failures.add(error));
    open.add(blocks);
    return blocks;
  }

  private static int[] order(int seed) {
    return new Random(seed).ints(SEQUENCES, 0, DOMAINS).toArray();
  }

  private void take(SplitBlocks blocks, int[] order, int from, int to) throws Exception {
    int[] next = new int[DOMAINS];
    for (int i = 0; i < to; i++) {
      int ordinal = next[order[i]]++;
      if (i < from) {
        continue;
      }
      while (!blocks.take(order[i], into)) {
        assertThat(changes.tryAcquire(30, TimeUnit.SECONDS)).as("something happens").isTrue();
        open.forEach(each -> each.adjust(false));
      }
      assertThat(TestingRun.text(into.bytes)).isEqualTo("block " + order[i] + ":" + ordinal);
    }
  }

  @Test
  void goesOnWithTheNextBlockWhenItsShareChanges() throws Exception {
    FetchMemory memory = memory(1, MOST);
    SplitBlocks blocks = blocks(memory, "a");
    int[] order = order(1);
    blocks.ask();
    blocks.need(order, 0);
    take(blocks, order, 0, 100);
    FetchMemory.Claim other = memory.claim(DOMAINS, MOST, () -> {});
    other.join();
    assertThat(other.open()).as("while the first has everything").isZero();
    blocks.adjust(false);
    take(blocks, order, 100, 250);
    assertThat(other.open()).isEqualTo(3 << 20);
    other.closed(3 << 20);
    other.leave();
    take(blocks, order, 250, SEQUENCES);
    assertThat(topics.blockConsumers()).containsExactlyInAnyOrder("a-0", "a-1");
  }

  @Test
  void opensNothingWhileItWaitsAndComesInWhenTheOtherHasAllItNeeds() throws Exception {
    FetchMemory memory = memory(1, FetchMemory.LEAST);
    SplitBlocks first = blocks(memory, "first");
    SplitBlocks second = blocks(memory, "second");
    int[] order = order(2);
    first.need(order, 0);
    second.need(order, 0);
    assertThat(second.awaitMemory()).isTrue();
    assertThat(second.take(order[0], into)).isFalse();
    take(first, order, 0, SEQUENCES);
    assertThat(topics.blockConsumers()).containsExactlyInAnyOrder("first-0", "first-1");
    first.adjust(false);
    take(second, order, 0, SEQUENCES);
    assertThat(first.awaitMemory()).as("it needs none").isFalse();
  }

  @Test
  void whoIsPausedHoldsNothingAndGoesOnLater() throws Exception {
    FetchMemory memory = memory(1, MOST);
    SplitBlocks blocks = blocks(memory, "a");
    int[] order = order(3);
    int[] head = Arrays.copyOf(order, 50);
    blocks.need(head, 0);
    take(blocks, head, 0, 50);
    blocks.adjust(true);
    assertThat(memory.in()).isZero();
    blocks.join(Duration.ofSeconds(30));
    blocks.need(Arrays.copyOfRange(order, 50, SEQUENCES), 0);
    take(blocks, order, 50, SEQUENCES);
  }

  @Test
  void whatIsClosedIsNeverOpenedAgain() {
    FetchMemory memory = memory(1, MOST);
    SplitBlocks blocks = blocks(memory, "a");
    blocks.close();
    blocks.need(order(4), 0);
    blocks.adjust(false);
    assertThat(memory.in()).isZero();
    assertThat(topics.blockConsumers()).isEmpty();
  }
}
