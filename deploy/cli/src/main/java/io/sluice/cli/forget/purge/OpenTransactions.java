package io.sluice.cli.forget.purge;

import io.sluice.control.error.Answers;
import io.sluice.control.error.UnreachableException;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * What jobs that have been stopped left open: nobody can tell what of it counts, and it would be
 * lost with the topic.
 */
final class OpenTransactions implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration CLOSED_BY_THEMSELVES = Duration.ofSeconds(5);
  private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();

  private final Admin admin;

  OpenTransactions(KafkaAccess access) {
    this.admin = Admin.create(access.with(Map.of()));
  }

  /**
   * Returns once no transaction is open in these partitions.
   *
   * @param prefixes of the ids of transactions that are aborted if they are still open after some
   *     seconds; nobody commits them
   * @return the prefixes of those that were
   */
  Set<String> end(Collection<TopicPartition> partitions, List<String> prefixes) {
    if (!isQuiet(partitions, CLOSED_BY_THEMSELVES)) {
      Set<String> aborted = abort(prefixes);
      if (!isQuiet(partitions, PATIENCE)) {
        throw new UnreachableException(
            "a transaction stays open in one of "
                + topics(partitions)
                + ": something writes there");
      }
      return aborted;
    }
    return Set.of();
  }

  private Set<String> abort(List<String> prefixes) {
    List<String> open =
        await(admin.listTransactions().all(), "listing transactions").stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> prefixes.stream().anyMatch(id::startsWith))
            .toList();
    if (!open.isEmpty()) {
      await(admin.fenceProducers(open).all(), "aborting transactions");
    }
    return prefixes.stream()
        .filter(prefix -> open.stream().anyMatch(id -> id.startsWith(prefix)))
        .collect(Collectors.toSet());
  }

  private boolean isQuiet(Collection<TopicPartition> partitions, Duration patience) {
    long since = System.nanoTime();
    while (!ends(partitions, IsolationLevel.READ_COMMITTED)
        .equals(ends(partitions, IsolationLevel.READ_UNCOMMITTED))) {
      if (System.nanoTime() - since > patience.toNanos()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  private Map<TopicPartition, Long> ends(
      Collection<TopicPartition> partitions, IsolationLevel level) {
    Map<TopicPartition, OffsetSpec> asked =
        partitions.stream()
            .collect(Collectors.toMap(Function.identity(), each -> OffsetSpec.latest()));
    Map<TopicPartition, Long> ends = new HashMap<>();
    await(
            admin.listOffsets(asked, new ListOffsetsOptions(level)).all(),
            "asking where partitions end")
        .forEach((partition, found) -> ends.put(partition, found.offset()));
    return ends;
  }

  private static List<String> topics(Collection<TopicPartition> partitions) {
    return partitions.stream().map(TopicPartition::topic).distinct().sorted().toList();
  }

  private static <T> T await(KafkaFuture<T> answer, String what) {
    return Answers.await(answer.toCompletionStage().toCompletableFuture(), PATIENCE, what);
  }

  @Override
  public void close() {
    admin.close();
  }
}
