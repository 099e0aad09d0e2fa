package io.sluice.control.audit;

import io.sluice.control.digest.BatchRows;
import io.sluice.control.digest.DigestCheck;
import io.sluice.control.digest.DigestReport;
import io.sluice.control.digest.RowHashes;
import io.sluice.control.digest.SaidDigests;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.TopicScan;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Holds what the ranks of a run said that they read against what its log gives of each batch. */
final class ReadAudit {
  private final KafkaAccess access;
  private final Map<TopicPartition, Long> ends = new HashMap<>();

  /** Of what the feedback of a run has now; made before the log is read, which is ahead of it. */
  ReadAudit(KafkaAccess access, String run) {
    this.access = access;
    String topic = access.topics().feedback(run);
    new TopicScan(access)
        .ends(List.of(topic))
        .forEach(
            (partition, end) -> {
              if (partition.partition() == 0) {
                ends.put(partition, end);
              }
            });
  }

  /**
   * Reads the feedback, and goes through all batches of all timelines; more than once through the
   * feedback, if what it says is more than {@link SaidDigests} have in memory.
   *
   * @param timelines none of which was begun
   */
  DigestReport check(
      RunHistory history,
      Timelines timelines,
      BlockOrders orders,
      RowHashes hashes,
      Violations violations) {
    Consumer<String> differences = sentence -> violations.add("read", "%s", sentence);
    TreeMap<Integer, Long> openings = new TreeMap<>();
    timelines.expectations().forEach((number, each) -> openings.put(number, each.begin()));
    SaidDigests said = new SaidDigests(history.runId(), openings, SaidDigests.MOST, differences);
    DigestCheck check = new DigestCheck(said, this::read, differences);
    for (Expectation timeline : timelines.expectations().values()) {
      int number = timeline.timeline();
      check.begin(number, timeline.begin());
      while (timeline.hasNext()) {
        BatchRows rows = nextBatch(timeline, orders, hashes, violations);
        check.batch(rows, history.state().lineage().owner(rows.batch()) == number);
      }
    }
    return check.end();
  }

  /** The rows of the next batch of a timeline that has one. */
  static BatchRows nextBatch(
      Expectation timeline, BlockOrders orders, RowHashes hashes, Violations violations) {
    Expectation.Sequence first = timeline.next();
    BatchRows rows = new BatchRows(first.batch(), first.firstIndex(), first.batchSize());
    add(rows, first, orders, hashes, violations);
    for (int left = first.batchSize() - 1; left > 0; left--) {
      add(rows, timeline.next(), orders, hashes, violations);
    }
    return rows;
  }

  /** What {@link Auditor#digests} gives. */
  static SortedMap<Long, Long> digests(KafkaAccess access, RunStart start) {
    RunHistory history = RunHistory.read(access, start);
    SortedMap<Long, Long> digests = new TreeMap<>();
    ofTopics(
        access,
        history,
        rows -> rows.digest().ifPresent(digest -> digests.put(rows.batch(), digest)));
    return digests;
  }

  /** Hands on the batches that stand, of blocks as topics have them. */
  static void ofTopics(KafkaAccess access, RunHistory history, Consumer<BatchRows> sink) {
    Timelines timelines = Timelines.of(history);
    // After the log: what it grants is committed before.
    BlockIndex blocks =
        BlockIndex.read(access, history.spec(), timelines.domains(), new Violations());
    standing(history, timelines, new BlockOrders(history.spec().getSeed(), blocks), blocks, sink);
  }

  /** Hands on the batches that stand, in their order. */
  static void standing(
      RunHistory history,
      Timelines timelines,
      BlockOrders orders,
      RowHashes hashes,
      Consumer<BatchRows> sink) {
    Violations unnamed = new Violations();
    for (Expectation timeline : timelines.expectations().values()) {
      while (timeline.hasNext()) {
        BatchRows rows = nextBatch(timeline, orders, hashes, unnamed);
        if (history.state().lineage().owner(rows.batch()) == timeline.timeline()) {
          sink.accept(rows);
        }
      }
    }
  }

  private void read(SaidDigests said) {
    new TopicScan(access).read(ends, message -> said.take(message.value()));
  }

  private static void add(
      BatchRows rows,
      Expectation.Sequence of,
      BlockOrders orders,
      RowHashes hashes,
      Violations violations) {
    long block = orders.block(of);
    if (!hashes.isNamed(of.name(), of.lane(), block)) {
      violations.add(
          "sealed",
          "sequence %d of batch %d is block %d of domain %s, lane %d, which no segment has",
          of.index(),
          of.batch(),
          block,
          of.name(),
          of.lane());
    }
    rows.add(hashes, of.name(), of.lane(), block);
  }
}
