package io.sluice.jobs.mix.fetch;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A split's fetch plan, as its task and the readers of its blocks share it. The lock is its own,
 * and held for no longer than a call: nobody has it while asking the broker. A reader that has
 * nothing to read waits in here.
 */
public final class FetchMonitor implements BlockSupply {
  private static final long IDLE_MILLIS = 1_000;

  private final FetchPlan plan;
  private final int readers;
  private int idle;
  private long wakes;

  /**
   * What a reader is to read.
   *
   * @param domains that lack a block
   * @param seeks the block to go to before reading, of those whose reader stands elsewhere
   */
  record Demand(BitSet domains, Map<Integer, Long> seeks) {}

  /**
   * @param plan used by nobody else from now on
   * @param readers that share it
   */
  public FetchMonitor(FetchPlan plan, int readers) {
    this.plan = plan;
    this.readers = readers;
  }

  @Override
  public synchronized void need(int[] order, int from) {
    plan.need(order, from);
    wake();
  }

  @Override
  public synchronized boolean take(int domain, TakenBlock into) {
    boolean taken = plan.take(domain, into);
    boolean nobodyAdvances = idle == readers && plan.isWorthAdvancing();
    if (nobodyAdvances || plan.clearLacksMore()) {
      wake();
    }
    return taken;
  }

  /** Ends the wait of every reader. */
  synchronized void wake() {
    if (idle > 0) {
      idle = 0;
      wakes++;
      notifyAll();
    }
  }

  /**
   * What a reader is to read now; nothing, after a while, if none of its domains lacks a block.
   *
   * @param own domains of the reader
   */
  @SuppressWarnings("WaitNotInLoop") // The reader asks again.
  synchronized Demand await(BitSet own) throws InterruptedException {
    if (plan.isWorthAdvancing()) {
      // A little at a time, each fetch would bring only a little.
      plan.advance();
    }
    if (plan.clearLacksMore()) {
      wake();
    }
    Demand demand = demand(own);
    if (demand.domains().isEmpty()) {
      long before = wakes;
      idle++;
      wait(IDLE_MILLIS);
      if (wakes == before) {
        idle--;
      }
    }
    return demand;
  }

  /** What lacks a block in the order that the plan has so far. */
  synchronized Demand demand(BitSet own) {
    BitSet domains = (BitSet) plan.lacking().clone();
    domains.and(own);
    Map<Integer, Long> seeks = new HashMap<>();
    domains.stream()
        .forEach(
            domain -> {
              long target = plan.seekTarget(domain);
              if (target != DomainQueue.NOWHERE) {
                seeks.put(domain, target);
              }
            });
    return new Demand(domains, seeks);
  }

  /** Readers now stand before these blocks of lacking domains. */
  synchronized void readingFrom(Map<Integer, Long> blocks) {
    blocks.forEach(plan::readingFrom);
  }

  /**
   * Takes in what was read of a domain, in order.
   *
   * @return how many blocks lie between the last of them and the one that is looked for
   */
  synchronized long offer(int domain, List<ConsumerRecord<byte[], ByteBuffer>> blocks) {
    blocks.forEach(block -> offer(domain, block));
    return plan.readAt(domain) - blocks.get(blocks.size() - 1).timestamp() - 1;
  }

  private void offer(int domain, ConsumerRecord<byte[], ByteBuffer> block) {
    ByteBuffer value = block.value();
    if (value == null) {
      throw new BrokenRunException(
          "topic " + block.topic() + ", offset " + block.offset() + ": a record without value");
    }
    if (WireCodec.isOf(EndOfDomain.class, value)) {
      plan.offerEnd(domain, block.timestamp());
    } else {
      plan.offer(domain, block.timestamp(), value);
    }
  }

  /** Sizes of the domains whose end has been read. */
  synchronized long[] sizes() {
    return plan.sizes();
  }
}
