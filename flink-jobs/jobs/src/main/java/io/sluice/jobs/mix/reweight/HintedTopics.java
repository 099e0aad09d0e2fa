package io.sluice.jobs.mix.reweight;

import io.sluice.jobs.mix.rest.QuietTopics;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.connector.kafka.source.enumerator.subscriber.KafkaSubscriber;
import org.apache.kafka.clients.admin.AdminClient;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * The first partitions of the topics of a pattern: what trainers say to each other in a later one
 * is not the job's. To list all topics costs the brokers as much as there are, so each look asks
 * only where those topics end in which somebody says that others are made: while that is news all
 * are listed at each look, and otherwise seldom.
 */
final class HintedTopics implements KafkaSubscriber {
  private static final long serialVersionUID = 1;

  /** What nobody has told of is found within this time. */
  private static final Duration SELDOM = Duration.ofSeconds(10);

  /** How long after it was told of a topic is made, at most. */
  private static final Duration NEWS = Duration.ofSeconds(30);

  private final Pattern pattern;
  private final List<String> hints;
  private final QuietTopics quiet;
  private transient @Nullable State state;

  /** What was seen so far. */
  private static final class State {
    private final Set<String> topics = new HashSet<>();
    private Map<TopicPartition, Long> ends = Map.of();
    private long newsNanos;
    private long listedNanos;
  }

  /**
   * A subscriber.
   *
   * @param hints topics of one partition
   * @param quiet says which are left out, and is told which are gone
   */
  HintedTopics(Pattern pattern, List<String> hints, QuietTopics quiet) {
    this.quiet = quiet;
    this.pattern = pattern;
    this.hints = List.copyOf(hints);
  }

  @Override
  public Set<TopicPartition> getSubscribedTopicPartitions(AdminClient admin) {
    return look(System.nanoTime(), () -> ends(admin), () -> names(admin), n -> described(admin, n));
  }

  /** Asked for one thing; may fail. */
  interface Question<T> {
    T answer();
  }

  /**
   * One look.
   *
   * @param ends of the topics with hints
   * @param names of all topics
   * @param described those of some topics that are not gone
   */
  Set<TopicPartition> look(
      long now,
      Question<Map<TopicPartition, Long>> ends,
      Question<Set<String>> names,
      UnaryOperator<Set<String>> described) {
    State seen = state;
    boolean first = seen == null;
    if (seen == null) {
      seen = new State();
      state = seen;
    }
    Map<TopicPartition, Long> found = ends.answer();
    if (!found.equals(seen.ends)) {
      seen.ends = found;
      seen.newsNanos = now;
    }
    if (first
        || now - seen.newsNanos < NEWS.toNanos()
        || now - seen.listedNanos >= SELDOM.toNanos()) {
      list(seen, names.answer(), described);
      seen.listedNanos = now;
    }
    return seen.topics.stream()
        .map(topic -> new TopicPartition(topic, 0))
        .collect(Collectors.toSet());
  }

  private void list(State seen, Set<String> names, UnaryOperator<Set<String>> described) {
    Set<String> own =
        names.stream()
            .filter(pattern.asMatchPredicate())
            .filter(topic -> !quiet.isQuiet(topic))
            .collect(Collectors.toSet());
    Set<String> gone = new HashSet<>(seen.topics);
    gone.removeAll(names);
    if (!gone.isEmpty()) {
      // One broker may not have heard of them yet.
      gone.removeAll(described.apply(Set.copyOf(gone)));
      quiet.gone(gone);
    }
    seen.topics.retainAll(own);
    Set<String> added = new HashSet<>(own);
    added.removeAll(seen.topics);
    if (!added.isEmpty()) {
      seen.topics.addAll(described.apply(added));
    }
  }

  private Map<TopicPartition, Long> ends(AdminClient admin) {
    Map<TopicPartition, OffsetSpec> asked =
        hints.stream()
            .collect(
                Collectors.toMap(topic -> new TopicPartition(topic, 0), t -> OffsetSpec.latest()));
    return ask("where " + hints + " end", () -> admin.listOffsets(asked).all().get())
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> offset(end.getValue())));
  }

  private static long offset(ListOffsetsResultInfo end) {
    return end.offset();
  }

  private static Set<String> names(AdminClient admin) {
    return ask("which topics there are", () -> admin.listTopics().names().get());
  }

  private static Set<String> described(AdminClient admin, Set<String> topics) {
    Set<String> found = new HashSet<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, description) -> {
              try {
                found.add(ask("about " + topic, description::get).name());
              } catch (UnknownTopicOrPartitionException | LeaderNotAvailableException gone) {
                // Deleted since it was listed, not everywhere yet or silent: it is looked at again.
                return;
              }
            });
    return found;
  }

  /** An answer of the brokers. */
  private interface Answer<T> {
    T get() throws ExecutionException, InterruptedException;
  }

  private static <T> T ask(String what, Answer<T> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException known
          ? known
          : new KafkaException("cannot ask " + what, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaException("interrupted while asking " + what, e);
    }
  }
}
