package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.source.TestingRun;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.mixture.plan.EpochOrder;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

final class BlockPartitionsTest {
  private final TestingTopics topics = new TestingTopics();
  private final AtomicLong nanos = new AtomicLong();
  private final RunLayout layout = new TestingRun("r", 2).layout();
  private final Consumer<byte[], ByteBuffer> consumer = topics.blocks("test", 0, 2, 1, 1 << 20);
  private final BlockPartitions partitions =
      new BlockPartitions(
          consumer,
          List.of(new TopicPartition("b0", 0), new TopicPartition("b1", 0)),
          0,
          2,
          new HashMap<>(),
          nanos::get);

  private FetchPlan plan(long first0, long first1) {
    SplitCursor start = new TestingRun("r", 2).split().cursor();
    return new FetchPlan(
        layout,
        0,
        new SplitCursor(
            start.control(),
            start.phase(),
            1,
            0,
            0,
            new long[] {first0, first1},
            new long[0],
            start.sizes(),
            start.chains()),
        1 << 20);
  }

  private void write(String topic, int domain, long from, long to) {
    for (long ordinal = from; ordinal < to; ordinal++) {
      topics.append(topic, ordinal, TestingRun.block(domain, ordinal));
    }
  }

  private void end(String topic, long size) {
    topics.append(
        topic,
        size,
        WireCodec.encode(EndOfDomain.newBuilder().setDomain("d").setSize(size).build()));
  }

  private void step(FetchPlan plan) {
    step(plan, partitions);
  }

  private static void step(FetchPlan plan, BlockPartitions from) {
    plan.advance();
    FetchMonitor monitor = new FetchMonitor(plan, 1);
    from.read(monitor.demand(from.own()), monitor);
  }

  private String take(FetchPlan plan, int domain) {
    return take(plan, partitions, domain);
  }

  private static String take(FetchPlan plan, BlockPartitions from, int domain) {
    TakenBlock into = new TakenBlock();
    for (int steps = 0; !plan.take(domain, into); steps++) {
      assertThat(steps).isLessThan(200);
      step(plan, from);
    }
    return TestingRun.text(into.bytes);
  }

  @Test
  void readsFromTheStartAndFromTheMiddle() {
    write("b0", 0, 0, 20);
    write("b1", 1, 0, 20);
    FetchPlan plan = plan(0, 7);
    plan.need(new int[] {0, 1, 1, 0}, 0);
    assertThat(take(plan, 0)).isEqualTo("block 0:0");
    assertThat(take(plan, 1)).isEqualTo("block 1:7");
    assertThat(take(plan, 1)).isEqualTo("block 1:8");
    assertThat(take(plan, 0)).isEqualTo("block 0:1");
  }

  @Test
  void assignsOnlyWhatIsNeededAndPausesWhatHasCome() {
    write("b0", 0, 0, 20);
    write("b1", 1, 0, 20);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[] {1}, 0);
    step(plan);
    assertThat(consumer.assignment()).containsExactly(new TopicPartition("b1", 0));
    long read = consumer.position(new TopicPartition("b1", 0));
    plan.need(new int[] {0}, 0);
    step(plan);
    assertThat(consumer.paused())
        .containsExactlyInAnyOrder(new TopicPartition("b0", 0), new TopicPartition("b1", 0));
    assertThat(consumer.position(new TopicPartition("b1", 0))).isEqualTo(read);
    assertThat(consumer.position(new TopicPartition("b0", 0))).isPositive();
  }

  @Test
  void readsHundredsOfDomains() {
    int domains = 300;
    List<TopicPartition> all = new ArrayList<>();
    for (int domain = 0; domain < domains; domain++) {
      all.add(new TopicPartition("b" + domain, 0));
      write("b" + domain, domain, 0, 4);
    }
    TestingRun run = new TestingRun("many", domains);
    FetchPlan plan = new FetchPlan(run.layout(), 0, run.split().cursor(), 1 << 20);
    int[] order = IntStream.range(0, 2 * domains).map(i -> i % domains).toArray();
    plan.need(order, 0);
    try (BlockPartitions many =
        new BlockPartitions(
            topics.blocks("many", 0, domains, 1, 1 << 20),
            all,
            0,
            domains,
            new HashMap<>(),
            nanos::get)) {
      for (int i = 0; i < order.length; i++) {
        assertThat(take(plan, many, order[i])).isEqualTo("block " + order[i] + ":" + i / domains);
      }
    }
  }

  @Test
  void readsItsOwnDomainsAlone() {
    write("b0", 0, 0, 20);
    write("b1", 1, 0, 20);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[] {0, 1}, 0);
    Consumer<byte[], ByteBuffer> second = topics.blocks("second", 0, 2, 2, 1 << 20);
    List<TopicPartition> all = List.of(new TopicPartition("b0", 0), new TopicPartition("b1", 0));
    try (BlockPartitions reader =
        new BlockPartitions(second, all, 1, 2, new HashMap<>(), nanos::get)) {
      step(plan, reader);
      assertThat(second.assignment()).containsExactly(all.get(1));
      assertThat(new FetchMonitor(plan, 1).demand(reader.own()).domains().isEmpty())
          .as("domain 0 is lacked, but not its own")
          .isTrue();
      assertThat(plan.lacking().stream()).containsExactly(0);
    }
  }

  @Test
  void readsAPartitionAgainOnlyWhenItsDomainLacksABlock() {
    write("b0", 0, 0, 20);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[2], 0);
    step(plan);
    step(plan);
    assertThat(consumer.paused()).containsExactly(new TopicPartition("b0", 0));
    long position = consumer.position(new TopicPartition("b0", 0));
    step(plan);
    assertThat(consumer.position(new TopicPartition("b0", 0))).isEqualTo(position);
    plan.need(new int[18], 0);
    for (int i = 0; i < 20; i++) {
      assertThat(take(plan, 0)).isEqualTo("block 0:" + i);
    }
  }

  @Test
  void goesOnInTheNextEpochAfterTheMarker() {
    write("b0", 0, 0, 3);
    end("b0", 3);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[9], 0);
    String[] taken = new String[9];
    for (int i = 0; i < 9; i++) {
      taken[i] = take(plan, 0);
    }
    for (int epoch = 0; epoch < 3; epoch++) {
      assertThat(List.of(taken).subList(3 * epoch, 3 * epoch + 3))
          .containsExactlyInAnyOrder("block 0:0", "block 0:1", "block 0:2");
    }
    assertThat(plan.sizes()).containsExactly(3, SplitCursor.GROWING);
  }

  @Test
  void findsTheEndOfADomainThatItBeginsInALaterEpoch() {
    write("b0", 0, 0, 1_000);
    end("b0", 1_000);
    FetchPlan plan = plan(2_500, 0);
    plan.need(new int[1], 0);
    assertThat(take(plan, 0))
        .isEqualTo(
            "block 0:"
                + EpochOrder.ended(layout.seed(), 0, 0, 1_000).chunkAt(2_500).blockAt(2_500));
    assertThat(plan.sizes()).containsExactly(1_000, SplitCursor.GROWING);
  }

  @Test
  void findsTheEndOfADomainOfLargeBlocksThatItBeginsInALaterEpoch() {
    int size = 700;
    for (long ordinal = 0; ordinal < size; ordinal++) {
      byte[] block = Arrays.copyOf(TestingRun.block(0, ordinal), 20 << 10);
      topics.append("b0", ordinal, block);
    }
    end("b0", size);
    for (long first : new long[] {size - 1, size, size + 64, 3L * size + 17, 40L * size}) {
      FetchPlan plan = plan(first, 0);
      plan.need(new int[1], 0);
      long stored =
          first < size
              ? first
              : EpochOrder.ended(layout.seed(), 0, 0, size).chunkAt(first).blockAt(first);
      assertThat(take(plan, 0)).as("block %d", first).startsWith("block 0:" + stored + "\0");
    }
  }

  @Test
  void waitsForABlockThatIsNotThereYet() {
    write("b0", 0, 0, 5);
    FetchPlan plan = plan(5, 0);
    plan.need(new int[1], 0);
    step(plan);
    step(plan);
    assertThat(plan.held()).isZero();
    write("b0", 0, 5, 6);
    assertThat(take(plan, 0)).isEqualTo("block 0:5");
  }

  @Test
  void findsABlockInALargeDomainInAFewJumps() {
    write("b0", 0, 0, 20_000);
    FetchPlan plan = plan(15_000, 0);
    plan.need(new int[1], 0);
    int polls = 0;
    while (plan.held() == 0) {
      step(plan);
      polls++;
    }
    assertThat(take(plan, 0)).isEqualTo("block 0:15000");
    // Every second offset is empty here, so each jump halves the rest.
    assertThat(polls).isLessThan(30);
  }

  @Test
  void skipsBlocksThatAnAbandonedAttemptRepeats() {
    write("b0", 0, 0, 5);
    write("b0", 0, 2, 8);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[8], 0);
    for (int i = 0; i < 8; i++) {
      assertThat(take(plan, 0)).isEqualTo("block 0:" + i);
    }
  }

  @Test
  void aTrimmedTopicBreaksTheRun() {
    write("b1", 1, 4, 8);
    FetchPlan plan = plan(0, 0);
    plan.need(new int[] {1}, 0);
    assertThatThrownBy(() -> take(plan, 1))
        .isInstanceOf(BrokenRunException.class)
        .hasMessageContaining("domain d1, lane 0: blocks are missing: expected ordinal 0, found 4");
  }

  @Test
  void aMissingTopicBreaksTheRunOnceNothingComes() {
    FetchPlan plan = plan(0, 0);
    plan.need(new int[] {1}, 0);
    step(plan);
    nanos.addAndGet(Duration.ofSeconds(11).toNanos());
    assertThatThrownBy(() -> step(plan))
        .isInstanceOf(BrokenRunException.class)
        .hasMessage("topic b1 does not exist");
  }
}
