package io.sluice.cli.doctor;

import io.sluice.control.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;

/** Whether transactions stay open, behind which no reader of what is committed gets on. */
record TransactionsCheck(Brokers brokers, InstantSource clock) implements Check {
  private static final Set<TransactionState> OPEN =
      Set.of(
          TransactionState.ONGOING,
          TransactionState.PREPARE_COMMIT,
          TransactionState.PREPARE_ABORT);

  /** A checkpoint ends the transactions of jobs; none should take as long. */
  private static final Duration LONG = Duration.ofMinutes(5);

  /** So long after its time is over the brokers may take to end one. */
  private static final Duration GRACE = Duration.ofMinutes(1);

  private static final String HELP =
      "start the job that has left it, which ends it; or end it with Kafka's"
          + " 'kafka-transactions.sh'";

  /**
   * One that is open.
   *
   * @param timeout after which brokers abort it
   * @param topics that it has written to
   */
  record Open(String id, Instant start, Duration timeout, Collection<String> topics) {}

  @Override
  public String name() {
    return "transactions";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    List<String> ids =
        brokers
            .admin()
            .listTransactions(new ListTransactionsOptions().filterStates(OPEN))
            .all()
            .get()
            .stream()
            .map(TransactionListing::transactionalId)
            .filter(id -> id.startsWith(brokers.topics().prefix()))
            .sorted()
            .toList();
    return of(described(ids), clock.instant());
  }

  private List<Open> described(List<String> ids) throws ExecutionException, InterruptedException {
    var described = brokers.admin().describeTransactions(ids);
    List<Open> open = new ArrayList<>();
    for (String id : ids) {
      try {
        TransactionDescription each = described.description(id).get();
        if (OPEN.contains(each.state()) && each.transactionStartTimeMs().isPresent()) {
          open.add(
              new Open(
                  id,
                  Instant.ofEpochMilli(each.transactionStartTimeMs().getAsLong()),
                  Duration.ofMillis(each.transactionTimeoutMs()),
                  each.topicPartitions().stream()
                      .map(TopicPartition::topic)
                      .collect(Collectors.toCollection(TreeSet::new))));
        }
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
          throw e;
        }
      }
    }
    return open;
  }

  /** What is said of those that are open now. */
  List<Finding> of(List<Open> all, Instant now) {
    List<Finding> findings = new ArrayList<>();
    for (Open open : all) {
      Duration age = Duration.between(open.start(), now);
      String found =
          "%s is open for %s in %s".formatted(open.id(), Durations.passed(age), open.topics());
      if (age.compareTo(open.timeout().plus(GRACE)) > 0) {
        findings.add(
            Finding.failure(
                name(),
                found + ", longer than its " + Durations.passed(open.timeout()) + ": it hangs",
                HELP));
      } else if (age.compareTo(LONG) > 0) {
        findings.add(Finding.warning(name(), found + ": nobody reads what is behind it", HELP));
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(name(), all.isEmpty() ? "none is open" : all.size() + " open, none for long"));
    }
    return findings;
  }
}
