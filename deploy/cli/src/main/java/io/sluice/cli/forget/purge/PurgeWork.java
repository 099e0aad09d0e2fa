package io.sluice.cli.forget.purge;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.purge.Purges;
import io.sluice.control.refine.Refineries;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Purge;
import io.sluice.schema.PurgedTopic;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Deletes documents from the topics that hold them: every record that stays is copied beside its
 * topic, to the offset that it has there; then the copy takes the topic's place. The table of
 * purges says how far this is, so that it goes on wherever it was broken off.
 */
final class PurgeWork {
  private static final long POLL_NANOS = Duration.ofMillis(200).toNanos();

  private final KafkaAccess access;
  private final Purges purges;
  private final PurgeTopics topics;
  private final TopicTwins twins;
  private final PurgeLease lease;
  private final Consumer<String> tell;

  PurgeWork(
      KafkaAccess access,
      PurgeTopics topics,
      TopicTwins twins,
      PurgeLease lease,
      Consumer<String> tell) {
    this.access = access;
    this.purges = new Purges(access);
    this.topics = topics;
    this.twins = twins;
    this.lease = lease;
    this.tell = tell;
  }

  /**
   * Begins, or finds what was begun.
   *
   * @param sets names of the sets of the documents
   * @throws BadInputException if a purge of other documents has not ended
   */
  Purge begin(List<String> sets) {
    Optional<Purge> open = purges.open();
    if (open.isPresent() && !Set.copyOf(open.get().getSets()).equals(Set.copyOf(sets))) {
      throw new BadInputException(
          "a purge of other documents, of domains "
              + open.get().getDomains()
              + ", was begun and has not ended: go on with it first, by 'sluice forget --purge' with"
              + " its file");
    }
    if (open.isEmpty()) {
      requireNotRefined();
    }
    return open.orElseGet(
        () ->
            said(
                new Purge(
                    UUID.randomUUID().toString(),
                    Purges.COPYING,
                    sets,
                    List.copyOf(topics.domains()),
                    List.copyOf(topics.datasets()),
                    List.of(),
                    List.of(),
                    0L)));
  }

  /**
   * A job that goes on refining would read, or have written, what is replaced.
   *
   * @throws BadInputException if a refinery reads or writes a domain of the documents
   */
  private void requireNotRefined() {
    Refineries refineries = new Refineries(access);
    for (String domain : topics.domains()) {
      refineries
          .of(domain)
          .ifPresent(
              refinery -> {
                throw new BadInputException(
                    "documents of domain '"
                        + domain
                        + "' are forgotten, and cannot be purged: refinery '"
                        + refinery.getName()
                        + "' reads or writes it");
              });
    }
  }

  /** Ends a purge that has changed nothing. */
  void giveUp(Purge purge) {
    if (purge.getPhase().equals(Purges.COPYING)) {
      topics.all().keySet().forEach(topic -> twins.delete(access.topics().purging(topic)));
      said(Purge.newBuilder(purge).setTopics(List.of()).setPhase(Purges.DONE).build());
    }
  }

  /**
   * Waits until no job prepares the datasets.
   *
   * @throws UnreachableException if that takes too long
   */
  void awaitStopped(Purge purge, Duration patience) {
    long since = System.nanoTime();
    Set<String> left = new TreeSet<>(purge.getDatasets());
    while (!left.isEmpty()) {
      left.removeAll(purges.stoppedFor(purge));
      if (!left.isEmpty() && System.nanoTime() - since > patience.toNanos()) {
        throw new UnreachableException(
            "no service has said within "
                + patience.toSeconds()
                + " s that it does not prepare "
                + left
                + ": where none runs, and you have stopped the jobs yourself, say --jobs-stopped;"
                + " nothing was changed");
      }
      LockSupport.parkNanos(left.isEmpty() ? 0 : POLL_NANOS);
    }
  }

  /**
   * Copies what stays, while everybody else waits.
   *
   * @return the purge, which can be given up no more when it is said
   */
  Purge copy(Purge begun) {
    return begun.getPhase().equals(Purges.COPYING) ? copied(found(begun)) : begun;
  }

  /** Puts the copies in the places of the topics, which then have no document. */
  Purge replace(Purge copied) {
    Purge purge =
        copied.getPhase().equals(Purges.REPLACING)
            ? copied
            : said(Purge.newBuilder(copied).setPhase(Purges.REPLACING).build());
    for (int i = 0; i < purge.getTopics().size(); i++) {
      PurgedTopic each = purge.getTopics().get(i);
      if (!each.getReplaced()) {
        replace(each);
        List<PurgedTopic> all = new ArrayList<>(purge.getTopics());
        all.set(i, PurgedTopic.newBuilder(each).setReplaced(true).build());
        purge = said(Purge.newBuilder(purge).setTopics(all).build());
      }
    }
    return purge;
  }

  /** Lets everybody go on. */
  void end(Purge purge) {
    purge.getTopics().forEach(each -> twins.delete(access.topics().purging(each.getTopic())));
    said(Purge.newBuilder(purge).setPhase(Purges.DONE).build());
  }

  /** Looks through the topics that were replaced. */
  List<Found> look(Purge purge) {
    return purge.getTopics().stream().map(each -> look(each.getTopic())).toList();
  }

  /**
   * What a topic has of the documents.
   *
   * @param left records that have some of them
   * @param purged offsets of the records that had
   */
  record Found(String topic, long records, long left, Set<Long> purged) {}

  private Found look(String topic) {
    PurgeTopics.Removal removal = topics.of(topic).removal();
    PurgeProgress progress = new PurgeProgress(tell, "looking through " + topic);
    long[] left = {0};
    Set<Long> purged = new HashSet<>();
    long records =
        new TopicScan(access)
            .read(
                List.of(topic),
                record -> {
                  if (removal.apply(record) != record.value()) {
                    left[0]++;
                  } else if (removal.names(record)) {
                    purged.add(record.offset());
                  }
                  progress.accept(1);
                });
    return new Found(topic, records, left[0], purged);
  }

  private Purge found(Purge purge) {
    if (!purge.getTopics().isEmpty()) {
      return purge;
    }
    List<String> there =
        topics.all().keySet().stream().filter(topic -> twins.id(topic).isPresent()).toList();
    List<String> afresh = endTransactions(there);
    List<PurgedTopic> found = new ArrayList<>();
    for (String topic : there) {
      Found counted = look(topic);
      tell.accept(
          "%s: %,d of %,d records have some of the documents"
              .formatted(topic, counted.left(), counted.records()));
      if (counted.left() > 0) {
        found.add(new PurgedTopic(topic, twins.id(topic).orElseThrow(), false));
      }
    }
    return said(Purge.newBuilder(purge).setTopics(found).setAfresh(afresh).build());
  }

  /** The datasets of whose jobs some were aborted. */
  private List<String> endTransactions(List<String> there) {
    List<TopicPartition> partitions =
        there.stream().flatMap(topic -> twins.partitions(topic).stream()).toList();
    Map<String, String> jobs =
        topics.datasets().stream()
            .collect(
                Collectors.toMap(
                    dataset -> access.topics().datasetsPrefix() + "prepare-" + dataset + ".",
                    Function.identity()));
    try (OpenTransactions open = new OpenTransactions(access)) {
      return open.end(partitions, List.copyOf(jobs.keySet())).stream().map(jobs::get).toList();
    }
  }

  private Purge copied(Purge purge) {
    purge.getTopics().forEach(each -> copyBeside(each.getTopic()));
    return purge;
  }

  private void replace(PurgedTopic each) {
    String topic = each.getTopic();
    String copy = access.topics().purging(topic);
    lease.require();
    if (twins.id(topic).equals(Optional.of(each.getTopicId()))) {
      if (!isWhole(topic, copy)) {
        copyBeside(topic);
      }
      twins.delete(topic);
    }
    twins.make(copy, topic);
    copy(copy, topic, TopicCopy.Change.NONE, topic);
  }

  /** Whoever writes without asking anybody may have done so since the copy was compared. */
  private boolean isWhole(String topic, String copy) {
    return twins.id(copy).isPresent()
        && twins.partitions(topic).stream()
            .allMatch(
                each -> twins.end(each) == twins.end(new TopicPartition(copy, each.partition())));
  }

  /** Copies what stays of a topic, or what a copy does not have yet, and compares both. */
  private void copyBeside(String topic) {
    String copy = access.topics().purging(topic);
    lease.require();
    twins.make(topic, copy);
    copy(topic, copy, topics.of(topic).removal(), topic);
  }

  private void copy(String from, String to, TopicCopy.Change change, String topic) {
    tell.accept("copying " + from + " to " + to);
    new TopicCopy(access, twins)
        .copy(
            from,
            to,
            change,
            topics.of(topic).producer(),
            new PurgeProgress(tell, "copying and comparing " + from));
  }

  private Purge said(Purge purge) {
    lease.require();
    Purge now = Purge.newBuilder(purge).setTimeMillis(InstantSource.system().millis()).build();
    purges.say(now);
    return now;
  }
}
