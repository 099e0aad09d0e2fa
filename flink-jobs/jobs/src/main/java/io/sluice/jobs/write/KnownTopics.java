package io.sluice.jobs.write;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has producers ask the broker for all topics at once, before the first record. A producer that
 * meets topic after topic asks for each alone and waits for the answer: minutes with thousands.
 */
public final class KnownTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTopics.class);

  /** Whoever waits for a topic at the same time shares a request. */
  private static final int AT_ONCE = 64;

  private final List<String> topics;
  private final Set<Producer<?, ?>> informed = Collections.newSetFromMap(new WeakHashMap<>());

  /** For producers that may write to any of these topics, at least one. */
  public KnownTopics(List<String> topics) {
    this.topics = List.copyOf(topics);
  }

  /**
   * Returns when the producer knows every topic; at once if it was here before. Where a topic
   * cannot be had, the rest is left to the records for it: those wait, and say why.
   */
  public void teach(Producer<?, ?> producer) {
    if (!informed.add(producer)) {
      return;
    }
    ExecutorService threads = Executors.newFixedThreadPool(Math.min(AT_ONCE, topics.size()));
    try {
      CompletionService<List<PartitionInfo>> answers = new ExecutorCompletionService<>(threads);
      topics.forEach(topic -> answers.submit(() -> producer.partitionsFor(topic)));
      for (int left = topics.size(); left > 0; left--) {
        answers.take().get();
      }
    } catch (ExecutionException e) {
      LOG.warn("cannot ask for {} topics ahead of their first records", topics.size(), e);
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
