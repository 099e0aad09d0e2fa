package io.sluice.control.audit;

import io.sluice.control.digest.BatchRows;
import io.sluice.control.digest.DigestReport;
import io.sluice.control.digest.StoreFiles;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunHistory;
import io.sluice.control.history.RunLogs;
import io.sluice.control.history.RunStart;
import io.sluice.control.history.TopicScan;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.schema.ChainHash;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.run.Delivery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks invariants I1, I2, I4 and I5 on every sequence of a run's stream: each is the one that the
 * control log implies for its timeline, with the bytes of its block, none is missing, none is
 * beyond the last grant. Checks, too, that every revision of the run follows from the log before
 * it, that the documents which it masks are known, and that ranks read what the log and the blocks
 * give, as far as they say what that was.
 */
public final class Auditor {
  private final RunHistory history;
  private final RunSpec spec;
  private final Violations violations = new Violations();
  private final Timelines expected;
  private final BlockIndex blocks;
  private final TreeMap<Integer, TimelineAudit> timelines = new TreeMap<>();
  private final BlockOrders orders;
  private final int[] newest;
  private final Remains remains;
  private final StreamDigest digest;
  private final TreeMap<Long, Map<String, Integer>> emitted = new TreeMap<>();
  private final Map<Long, Expectation.Sequence> samples = new HashMap<>();
  private final Started started;
  private final long chainStart;
  private long sequences;
  private long duplicates;

  private Auditor(KafkaAccess access, RunHistory history) {
    this.history = history;
    this.spec = history.spec();
    this.started = (Started) history.entries().get(0).body();
    this.chainStart = ChainHash.start(started.planVersion(), history.runId());
    this.newest = new int[spec.getStreamPartitions()];
    this.remains = new Remains(newest.length);
    this.digest = new StreamDigest(newest.length);
    this.expected = Timelines.of(history);
    expected.expectations().values().forEach(this::open);
    this.blocks = BlockIndex.read(access, spec, expected.domains(), violations);
    this.orders = new BlockOrders(spec.getSeed(), blocks);
  }

  private void open(Expectation expectation) {
    timelines.values().forEach(old -> old.rewound(expectation.begin()));
    timelines.put(
        expectation.timeline(), new TimelineAudit(expectation, newest.length, chainStart));
  }

  /**
   * Audits the run that was last started under a name, as its logs are now. Of a stream whose head
   * is reclaimed, while this reads it too, what is left is audited.
   */
  public static AuditReport audit(KafkaAccess access, String run) {
    return audit(access, run, StoreFiles.FOLDERS, false);
  }

  /**
   * The same.
   *
   * @param files by which the store of a run without a stream is read
   * @param deep whether of such a run every row is read, too
   */
  public static AuditReport audit(KafkaAccess access, String run, StoreFiles files, boolean deep) {
    RunStart start = RunLogs.of(access).require(run);
    return Delivery.isDerived(RunLogs.of(access).fold(start).spec())
        ? DerivedAudit.audit(access, start, files, deep)
        : audit(access, run, new TopicScan(access)::read);
  }

  /**
   * What the batches of a run have in them by its log and the blocks in topics, whoever read them,
   * from a stream or from segments: the {@link io.sluice.schema.segment.BatchDigest} of each batch
   * that is granted, over all ranks, as the timeline gives it that owns the batch now. Batches are
   * left out whose blocks are not there any more as they were.
   */
  public static SortedMap<Long, Long> digests(KafkaAccess access, RunStart start) {
    return ReadAudit.digests(access, start);
  }

  /**
   * The batches of a run that stand, in their order: what each has by the log and by the blocks
   * that are here. Whoever wrote the log: the run need not be here.
   *
   * @param files by which the store of a run without a stream is read
   * @throws BadInputException if its segments cannot be read here, or are not what they say
   */
  public static void batches(
      KafkaAccess access, RunHistory history, StoreFiles files, Consumer<BatchRows> sink) {
    if (Delivery.isDerived(history.spec())) {
      DerivedAudit.standing(access, history, files, sink);
    } else {
      ReadAudit.ofTopics(access, history, sink);
    }
  }

  /** How the records of a stream are read up to some ends. */
  public interface Scan {
    void read(Map<TopicPartition, Long> ends, Consumer<ConsumerRecord<byte[], byte[]>> reader);
  }

  public static AuditReport audit(KafkaAccess access, String run, Scan scan) {
    // An unknown run is named as such, rather than by the topic that it lacks.
    RunStart start = RunLogs.of(access).require(run);
    // Before the log's: what is emitted while this looks is never newer than its grant.
    Map<TopicPartition, Long> ends =
        new TopicScan(access).ends(List.of(access.topics().stream(run)));
    ReadAudit read = new ReadAudit(access, run);
    RunHistory history = RunHistory.read(access, start);
    Auditor auditor = new Auditor(access, history);
    RevisionAudit.check(access, history, auditor.violations);
    MaskAudit.check(access, history, auditor.violations);
    return auditor.run(ends, scan, read);
  }

  private AuditReport run(Map<TopicPartition, Long> ends, Scan scan, ReadAudit read) {
    scan.read(ends, this::check);
    remains.end(ends);
    for (TimelineAudit timeline : timelines.values()) {
      boolean[] followed = new boolean[newest.length];
      for (int partition = 0; partition < followed.length; partition++) {
        followed[partition] = newest[partition] > timeline.expectation().timeline();
      }
      timeline.end(followed, violations);
    }
    DigestReport digests = read.check(history, Timelines.of(history), orders, blocks, violations);
    List<Long> batches = wholeBatches();
    long whole = started.snapshot().batch();
    return new AuditReport(
        history.runId(),
        timelines.size(),
        sequences,
        duplicates,
        history.state().position().granted(),
        remains.isCut() ? remains.from() : 0,
        batches.isEmpty() ? whole + 1 : batches.get(0),
        batches.isEmpty() ? whole : batches.get(batches.size() - 1),
        violations.sentences(),
        violations.unchecked(),
        expected.mostBehind(),
        expected.mostAhead(),
        emitted,
        digest.hex(),
        digests);
  }

  private void check(ConsumerRecord<byte[], byte[]> message) {
    var header = message.headers().lastHeader(StreamHeader.KEY);
    int partition = message.partition();
    remains.read(partition, message.offset());
    StreamHeader found;
    try {
      found = StreamHeader.decode(header == null ? new byte[0] : header.value());
    } catch (WireFormatException e) {
      violations.add(
          "I4", "partition %d offset %d: %s", partition, message.offset(), e.getMessage());
      return;
    }
    TimelineAudit timeline = timelines.get(found.timeline());
    if (timeline == null) {
      violations.add(
          "I5", "sequence %d is of timeline %d: not in the log", found.index(), found.timeline());
      return;
    }
    if (remains.takeJump(partition)) {
      reclaim(partition, found);
    }
    newest[partition] = Math.max(newest[partition], found.timeline());
    Expectation.Sequence expected = timeline.peek(partition);
    if (expected == null) {
      beyond(timeline, found);
    } else if (found.index() < expected.index()) {
      duplicates++;
    } else if (found.index() > expected.index()) {
      timeline.skip(partition);
    } else {
      timeline.take(partition);
      accept(message, found, expected, timeline);
    }
  }

  private TimelineAudit timeline(int number) {
    return Objects.requireNonNull(timelines.get(number));
  }

  /** What lay before a partition's record was reclaimed: it can be held against nothing. */
  private void reclaim(int partition, StreamHeader first) {
    timelines.headMap(first.timeline()).values().forEach(old -> old.reclaim(partition));
    timeline(first.timeline()).reclaim(partition, first.index());
  }

  private void beyond(TimelineAudit timeline, StreamHeader found) {
    if (found.index() >= timeline.expectation().end()) {
      violations.add(
          "I5",
          "sequence %d of batch %d is beyond the last grant of timeline %d",
          found.index(),
          found.batch(),
          found.timeline());
    } else {
      duplicates++;
    }
  }

  private void accept(
      ConsumerRecord<byte[], byte[]> message,
      StreamHeader found,
      Expectation.Sequence expected,
      TimelineAudit timeline) {
    long block = orders.block(expected);
    int partition = message.partition();
    if (timeline.isCut(partition)) {
      boolean plain = chainStart == ChainHash.START;
      timeline.chain(partition, found.chain(), plain ? found.chain() : ChainHash.START);
    } else {
      timeline.chain(
          partition,
          next(timeline.chain(partition), expected, block),
          next(timeline.content(partition), expected, block));
    }
    StreamHeader wanted =
        new StreamHeader(
            timeline.expectation().timeline(),
            expected.batch(),
            expected.firstIndex(),
            expected.batchSize(),
            expected.index(),
            expected.version(),
            expected.ordinal(),
            timeline.chain(partition));
    if (!found.equals(wanted) || message.timestamp() != expected.batch()) {
      violations.add(
          found.weightsVersion() == wanted.weightsVersion() ? "I2" : "I1",
          "sequence %d: the log implies %s, the stream has %s at timestamp %d",
          expected.index(),
          wanted,
          found,
          message.timestamp());
    }
    if (!blocks.holds(expected.name(), expected.lane(), block, message.value())) {
      violations.add(
          "I2",
          "sequence %d: the bytes are not block %d of domain %s",
          expected.index(),
          block,
          expected.name());
    }
    sequences++;
    count(message, expected, timeline);
  }

  private long next(long chain, Expectation.Sequence expected, long block) {
    long domain = ChainHash.domain(spec.getFingerprint(), expected.name());
    return ChainHash.next(chain, expected.index(), domain, expected.lane(), block);
  }

  /**
   * What a rewind left behind depends on when the source read of it: it is checked, not counted.
   */
  private void count(
      ConsumerRecord<byte[], byte[]> message,
      Expectation.Sequence expected,
      TimelineAudit timeline) {
    if (timeline.isRequired(expected.batch())) {
      digest.add(message, timeline.content(message.partition()));
    }
    if (history.state().lineage().owner(expected.batch()) == timeline.expectation().timeline()) {
      Map<String, Integer> counts =
          emitted.computeIfAbsent(expected.batch(), batch -> new TreeMap<>());
      counts.merge(expected.name(), 1, Integer::sum);
      samples.put(expected.batch(), expected);
      remains.accepted(message.partition(), expected.index());
    }
  }

  /** The batches that are wholly in the stream, from the first that none of was reclaimed. */
  private List<Long> wholeBatches() {
    List<Long> found = new ArrayList<>();
    for (var entry : emitted.entrySet()) {
      Expectation.Sequence sample = Objects.requireNonNull(samples.get(entry.getKey()));
      int size = entry.getValue().values().stream().mapToInt(Integer::intValue).sum();
      if (sample.firstIndex() < remains.from()) {
        continue;
      }
      if (size < sample.batchSize()) {
        break;
      }
      found.add(entry.getKey());
    }
    return found;
  }
}
