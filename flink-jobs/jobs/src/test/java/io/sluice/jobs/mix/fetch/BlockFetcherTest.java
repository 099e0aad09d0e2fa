package io.sluice.jobs.mix.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.mix.fetch.BlockSupply.TakenBlock;
import io.sluice.jobs.mix.source.TestingRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BlockFetcherTest {
  private static final int DOMAINS = 6;
  private static final int SEQUENCES = 600;

  private final TestingTopics topics = new TestingTopics();
  private final Semaphore arrived = new Semaphore(0);
  private final BlockingQueue<RuntimeException> failures = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();

  private List<Supplier<BlockPartitions>> openings(int readers) {
    List<TopicPartition> all =
        IntStream.range(0, DOMAINS).mapToObj(d -> new TopicPartition("b" + d, 0)).toList();
    List<Supplier<BlockPartitions>> openings = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      String id = "reader" + reader;
      int from = reader * DOMAINS / readers;
      int to = (reader + 1) * DOMAINS / readers;
      openings.add(
          () ->
              new BlockPartitions(
                  topics.blocks(id, 0, DOMAINS, readers, 1),
                  all,
                  from,
                  to,
                  new HashMap<>(),
                  System::nanoTime));
    }
    return openings;
  }

  @AfterEach
  void join() throws Exception {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** With a budget of a byte, 16 sequences are fetched at a time, so readers are often idle. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 6})
  void readersShareAPlanThatMovesALittleAtATime(int readers) throws Exception {
    for (int domain = 0; domain < DOMAINS; domain++) {
      for (int ordinal = 0; ordinal < SEQUENCES; ordinal++) {
        topics.append("b" + domain, ordinal, TestingRun.block(domain, ordinal));
      }
    }
    TestingRun run = new TestingRun("r", DOMAINS);
    FetchMonitor blocks =
        new FetchMonitor(new FetchPlan(run.layout(), 0, run.split().cursor(), 1), readers);
    BlockFetcher fetcher =
        new BlockFetcher(
            blocks, openings(readers), arrived::release, (from, error) -> failures.add(error));
    fetcher.readers().forEach(reader -> threads.add(new Thread(reader)));
    threads.forEach(Thread::start);
    int[] order = new Random(readers).ints(SEQUENCES, 0, DOMAINS).toArray();
    blocks.need(order, 0);
    int[] next = new int[DOMAINS];
    TakenBlock into = new TakenBlock();
    for (int domain : order) {
      while (!blocks.take(domain, into)) {
        assertThat(arrived.tryAcquire(30, TimeUnit.SECONDS)).as("blocks come").isTrue();
      }
      assertThat(TestingRun.text(into.bytes)).isEqualTo("block " + domain + ":" + next[domain]++);
    }
    fetcher.close();
    assertThat(failures).isEmpty();
    assertThat(topics.blockConsumers()).hasSize(readers);
  }
}
