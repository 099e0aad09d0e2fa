package io.sluice.cli.doctor;

import io.sluice.cli.storage.Deployment;
import io.sluice.control.config.Durations;
import io.sluice.control.runs.RunCatalog;
import io.sluice.jobs.mix.reweight.ControlPlane;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.schema.Topics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Whether MixJob lives. It says something of a run only when something of it changes, so that it is
 * silent by itself proves nothing; what it was told and has neither read nor answered does.
 */
record MixJobCheck(Brokers brokers, InstantSource clock, Duration limit) implements Check {
  /** It reads within a second, and writes down at its checkpoints that it has. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Who wrote beside it before this is no matter any more. */
  private static final Duration LATELY = Duration.ofMinutes(5);

  private static final String START =
      "start it, by 'sluice up' or in your Flink, whose log says why it ended";

  /**
   * A topic that MixJob reads, and has not read to its end.
   *
   * @param since when the oldest record that it has not read was written
   */
  record Unread(String topic, Instant since) {}

  @Override
  public String name() {
    return "MixJob";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    Deployment deployment = brokers.deployment();
    if (!deployment.names().contains(brokers.topics().runs())) {
      return List.of(Finding.skipped(name(), "nothing was ever asked of it"));
    }
    List<RunStatus> statuses =
        deployment.runs().stream().flatMap(run -> run.status().stream()).toList();
    return of(statuses, unread(deployment), clock.instant());
  }

  private List<Unread> unread(Deployment deployment)
      throws ExecutionException, InterruptedException {
    Topics topics = brokers.topics();
    List<TopicPartition> inputs = new ArrayList<>();
    inputs.add(new TopicPartition(topics.runs(), 0));
    for (RunCatalog.Entry run : deployment.runs()) {
      if (!run.ended() && deployment.names().contains(topics.feedback(run.name()))) {
        inputs.add(new TopicPartition(topics.feedback(run.name()), 0));
      }
    }
    Map<TopicPartition, OffsetAndMetadata> read = read(ControlPlane.group(topics));
    List<Unread> unread = new ArrayList<>();
    try (TopicReader reader = TopicReader.committed(brokers.access())) {
      for (TopicPartition input : inputs) {
        OffsetAndMetadata place = read.get(input);
        long offset = place == null ? 0 : place.offset();
        Optional<ConsumerRecord<byte[], byte[]>> next = reader.at(input.topic(), offset, limit);
        next.ifPresent(
            record ->
                unread.add(new Unread(input.topic(), Instant.ofEpochMilli(record.timestamp()))));
      }
    }
    return unread;
  }

  private Map<TopicPartition, OffsetAndMetadata> read(String group)
      throws ExecutionException, InterruptedException {
    try {
      return brokers.admin().listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return Map.of();
      }
      throw e;
    }
  }

  /** What is said of the newest statuses of all runs, and of what it has not read. */
  List<Finding> of(List<RunStatus> statuses, List<Unread> unread, Instant now) {
    Optional<RunStatus> newest =
        statuses.stream().max(Comparator.comparingLong(RunStatus::getTimeMillis));
    if (newest.isEmpty() && unread.isEmpty()) {
      return List.of(Finding.skipped(name(), "nothing was ever asked of it"));
    }
    String last = newest.map(status -> words(status, now)).orElse("it has said nothing of any run");
    Instant said = newest.map(MixJobCheck::time).orElse(Instant.EPOCH);
    List<Finding> findings = new ArrayList<>();
    unread.stream()
        .filter(each -> each.since().isAfter(said) && each.since().isBefore(now.minus(PATIENCE)))
        .min(Comparator.comparing(Unread::since))
        .ifPresent(oldest -> findings.add(dead(oldest, last, now)));
    statuses.stream()
        .filter(status -> !status.getOtherWriter().isEmpty())
        .filter(status -> time(status).isAfter(now.minus(LATELY)))
        .forEach(status -> findings.add(contested(status)));
    if (findings.isEmpty()) {
      findings.add(Finding.ok(name(), "it owes no answer; " + last));
    }
    return findings;
  }

  private static Instant time(RunStatus status) {
    return Instant.ofEpochMilli(status.getTimeMillis());
  }

  private static String words(RunStatus status, Instant now) {
    return "its last words, of run %s, are %s old: granted to batch %d, trainers at batch %d"
        .formatted(
            status.getRun(),
            Durations.passed(Duration.between(time(status), now)),
            status.getGranted(),
            status.getProgress());
  }

  private Finding dead(Unread oldest, String last, Instant now) {
    String since = Durations.passed(Duration.between(oldest.since(), now));
    return Finding.failure(
        name(),
        "it has not read what is in %s for %s; %s".formatted(oldest.topic(), since, last),
        START);
  }

  private Finding contested(RunStatus status) {
    return Finding.warning(
        name(),
        "another one writes entries of run %s: %s"
            .formatted(status.getRun(), status.getOtherWriter()),
        "end one of the two");
  }
}
