package io.sluice.client.evaluation;

import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.error.EvalSetException;
import io.sluice.client.error.Seconds;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.SetSource;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.TopicReader;
import io.sluice.schema.run.DocumentMasks;
import io.sluice.schema.set.DocumentHashes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the held-out blocks of a run's domains, which trainers evaluate on. */
public final class EvalSets {
  private static final Logger LOG = LoggerFactory.getLogger(EvalSets.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private EvalSets() {}

  /**
   * The first held-out blocks of every domain, by ordinal and lane: the same ones on every call.
   * Waits until each domain has that many or has ended, and says so in a warning after ten seconds
   * and then each minute. No label counts of documents that the run masks, from whichever batch on;
   * a block of which then none counts is left out.
   *
   * @param maxBlocksPerDomain at least 1
   * @return blocks by domain, in the order of the run's domains
   * @throws EvalSetException if a domain has no held-out block, blocks stay away for the timeout,
   *     or one cannot be used, or a set of documents that the run masks is not there
   * @throws KafkaUnreachableException if no broker answers
   */
  public static Map<String, List<TokenBlock>> read(
      KafkaAccess access, RunInfo run, int maxBlocksPerDomain, Duration timeout) {
    if (maxBlocksPerDomain < 1) {
      throw new IllegalArgumentException(
          "maxBlocksPerDomain must be at least 1: " + maxBlocksPerDomain);
    }
    Map<String, String> settings = Map.of("isolation.level", "read_committed");
    try (Consumer<byte[], byte[]> consumer = TopicReader.consumer(access, settings)) {
      return new Reading(
              access,
              run,
              maxBlocksPerDomain,
              timeout,
              consumer,
              new SetSource.Topic(access),
              new Waiting(timeout, System::nanoTime, LOG::warn))
          .run();
    } catch (TimeoutException e) {
      throw new KafkaUnreachableException(access.bootstrapServers(), timeout, e);
    }
  }

  /** One call's state. */
  static final class Reading {
    private final Map<String, EvalSet> sets = new LinkedHashMap<>();
    private final Map<String, EvalSet> byTopic = new HashMap<>();
    private final Duration timeout;
    private final Waiting waiting;
    private final Consumer<byte[], byte[]> consumer;

    Reading(
        KafkaAccess access,
        RunInfo run,
        int maxBlocks,
        Duration timeout,
        Consumer<byte[], byte[]> consumer,
        SetSource sources,
        Waiting waiting) {
      MaskedDocuments masked = masked(run.spec(), sources);
      for (String domain : run.spec().getDomains()) {
        EvalSet set = new EvalSet(domain, run.spec().getFingerprint(), maxBlocks, masked);
        sets.put(domain, set);
        byTopic.put(access.topics().eval(run.spec().getDataset(), domain), set);
      }
      this.timeout = timeout;
      this.waiting = waiting;
      this.consumer = consumer;
    }

    /** Masks are announced in the log behind their sets: one that is not there now is lost. */
    private static MaskedDocuments masked(RunSpec spec, SetSource source) {
      Set<String> names = DocumentMasks.bySet(spec).keySet();
      Map<String, DocumentHashes> sets = names.isEmpty() ? Map.of() : source.read(names);
      for (String name : names) {
        if (!sets.containsKey(name)) {
          throw new EvalSetException(
              "held-out blocks cannot be told from those of documents that run "
                  + spec.getRun()
                  + " masks: "
                  + source.place()
                  + " has no set whose content has the digest "
                  + name);
        }
      }
      return MaskedDocuments.of(sets.values(), spec);
    }

    Map<String, List<TokenBlock>> run() {
      List<TopicPartition> partitions = new ArrayList<>();
      byTopic.forEach((topic, set) -> partitions.addAll(partitionsOf(topic, set)));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (!sets.values().stream().allMatch(EvalSet::isComplete)) {
        requireTimeLeft();
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          take(message);
        }
      }
      Map<String, List<TokenBlock>> blocks = new LinkedHashMap<>();
      sets.forEach((domain, set) -> blocks.put(domain, set.blocks()));
      return blocks;
    }

    private void take(ConsumerRecord<byte[], byte[]> message) {
      EvalSet set = byTopic.get(message.topic());
      if (set != null && set.take(message.partition(), message.value())) {
        consumer.pause(List.of(new TopicPartition(message.topic(), message.partition())));
      }
    }

    private List<TopicPartition> partitionsOf(String topic, EvalSet set) {
      List<TopicPartition> partitions = new ArrayList<>();
      while (partitions.isEmpty()) {
        consumer
            .partitionsFor(topic, timeout)
            .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        if (partitions.isEmpty()) {
          requireTimeLeft();
          LockSupport.parkNanos(POLL.toNanos());
        }
      }
      set.expectPartitions(partitions.size());
      return partitions;
    }

    private void requireTimeLeft() {
      if (waiting.isOver()) {
        throw new EvalSetException(
            "held-out blocks did not come within " + Seconds.of(timeout) + ": " + missing());
      }
      waiting.tell(this::missing);
    }

    private String missing() {
      return sets.values().stream()
          .filter(set -> !set.isComplete())
          .map(EvalSet::toString)
          .collect(Collectors.joining(", "));
    }
  }
}
