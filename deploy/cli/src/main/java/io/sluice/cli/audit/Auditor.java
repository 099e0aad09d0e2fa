package io.sluice.cli.audit;

import io.sluice.cli.history.RunHistory;
import io.sluice.cli.history.TopicScan;
import io.sluice.mixture.plan.EpochOrder;
import io.sluice.schema.ChainHash;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Checks invariants I1, I2, I4 and I5 on every sequence of a run's stream: each is the one that the
 * control log implies, with the bytes of its block, none is missing, none is beyond the last grant.
 *
 * <p>Partitions are read side by side while the expectation moves by global index, so an expected
 * sequence waits in its partition's queue until its record comes: memory is bounded by how far the
 * partitions run apart.
 */
public final class Auditor {
  private final KafkaAccess access;
  private final RunHistory history;
  private final RunSpec spec;
  private final Violations violations = new Violations();
  private final BlockIndex blocks;
  private final Expectation expectation;
  private final EpochOrder[] orders;
  private final long[] domainHashes;
  private final List<Deque<Expectation.Sequence>> awaited = new ArrayList<>();
  private final long[] chains;
  private final boolean[] ahead;
  private final StreamDigest digest;
  private final TreeMap<Long, int[]> emitted = new TreeMap<>();
  private long sequences;
  private long duplicates;

  private Auditor(KafkaAccess access, RunHistory history) {
    this.access = access;
    this.history = history;
    this.spec = history.spec();
    this.blocks = BlockIndex.read(access, spec, violations);
    this.expectation = new Expectation(history);
    int domains = spec.getDomains().size();
    this.orders = new EpochOrder[domains];
    this.domainHashes = new long[domains];
    for (int i = 0; i < domains; i++) {
      orders[i] = expectation.orderOf(i, blocks.size(i));
      domainHashes[i] = ChainHash.domain(spec.getFingerprint(), spec.getDomains().get(i));
    }
    int partitions = spec.getStreamPartitions();
    for (int p = 0; p < partitions; p++) {
      awaited.add(new ArrayDeque<>());
    }
    this.chains = new long[partitions];
    this.ahead = new boolean[partitions];
    this.digest = new StreamDigest(partitions);
  }

  /** Audits the run that was last started under a name, as its logs are now. */
  public static AuditReport audit(KafkaAccess access, String run) {
    // An unknown run is named as such, rather than by the topic that it lacks.
    RunHistory.read(access, run);
    // Before the log's: what is emitted while this looks is never newer than its grant.
    Map<TopicPartition, Long> ends =
        new TopicScan(access).ends(List.of(access.topics().stream(run)));
    return new Auditor(access, RunHistory.read(access, run)).run(ends);
  }

  private AuditReport run(Map<TopicPartition, Long> ends) {
    new TopicScan(access).read(ends, this::check);
    for (int partition = 0; partition < ahead.length; partition++) {
      if (ahead[partition]) {
        violations.add(
            "I4",
            "partition %d: sequence %d is missing, later ones are there",
            partition,
            peek(partition) == null ? -1 : peek(partition).index());
      }
    }
    return new AuditReport(
        history.runId(),
        sequences,
        duplicates,
        history.state().position().granted(),
        lastWholeBatch(),
        violations.sentences(),
        expectation.mostBehind(),
        expectation.mostAhead(),
        composition(),
        digest.hex());
  }

  private void check(ConsumerRecord<byte[], byte[]> message) {
    var header = message.headers().lastHeader(StreamHeader.KEY);
    if (header == null) {
      violations.add(
          "I4", "partition %d offset %d has no header", message.partition(), message.offset());
      return;
    }
    StreamHeader found = StreamHeader.decode(header.value());
    int partition = message.partition();
    Expectation.Sequence expected = peek(partition);
    if (expected == null) {
      if (found.index() >= history.state().nextSequence()) {
        violations.add(
            "I5",
            "sequence %d of batch %d is beyond the last grant, which ends at batch %d",
            found.index(),
            found.batch(),
            history.state().position().granted());
      } else {
        duplicates++;
      }
    } else if (found.index() < expected.index()) {
      duplicates++;
    } else if (found.index() > expected.index()) {
      // Not a hole yet: what is missing may still come, behind this record.
      ahead[partition] = true;
    } else {
      ahead[partition] = false;
      awaited.get(partition).remove();
      accept(message, found, expected);
    }
  }

  private void accept(
      ConsumerRecord<byte[], byte[]> message, StreamHeader found, Expectation.Sequence expected) {
    int domain = expected.domain();
    EpochOrder order = orders[domain];
    long block = order.chunkAt(expected.ordinal()).blockAt(expected.ordinal());
    int partition = message.partition();
    chains[partition] =
        ChainHash.next(chains[partition], expected.index(), domainHashes[domain], 0, block);
    StreamHeader wanted =
        new StreamHeader(
            0,
            expected.batch(),
            expected.firstIndex(),
            expected.batchSize(),
            expected.index(),
            expected.version(),
            expected.ordinal(),
            chains[partition]);
    if (!found.equals(wanted) || message.timestamp() != expected.batch()) {
      violations.add(
          found.weightsVersion() == wanted.weightsVersion() ? "I2" : "I1",
          "sequence %d: the log implies %s, the stream has %s at timestamp %d",
          expected.index(),
          wanted,
          found,
          message.timestamp());
    }
    if (!blocks.holds(domain, block, message.value())) {
      violations.add(
          "I2",
          "sequence %d: the bytes are not block %d of domain %s",
          expected.index(),
          block,
          spec.getDomains().get(domain));
    }
    sequences++;
    emitted.computeIfAbsent(expected.batch(), b -> new int[orders.length])[domain]++;
    digest.add(message);
  }

  /** The next expected sequence of a partition; null when all that is granted is there. */
  private Expectation.@org.jspecify.annotations.Nullable Sequence peek(int partition) {
    while (awaited.get(partition).isEmpty() && expectation.hasNext()) {
      Expectation.Sequence next = expectation.next();
      awaited.get((int) (next.index() % chains.length)).add(next);
    }
    return awaited.get(partition).peek();
  }

  private long lastWholeBatch() {
    long whole = 0;
    for (var entry : emitted.entrySet()) {
      int size = Arrays.stream(entry.getValue()).sum();
      if (size < history.state().settings().batchSize(entry.getKey())) {
        break;
      }
      whole = entry.getKey();
    }
    return whole;
  }

  private TreeMap<Long, Map<String, Integer>> composition() {
    TreeMap<Long, Map<String, Integer>> composition = new TreeMap<>();
    emitted.forEach(
        (batch, counts) -> {
          Map<String, Integer> named = new TreeMap<>();
          for (int i = 0; i < counts.length; i++) {
            named.put(spec.getDomains().get(i), counts[i]);
          }
          composition.put(batch, named);
        });
    return composition;
  }
}
