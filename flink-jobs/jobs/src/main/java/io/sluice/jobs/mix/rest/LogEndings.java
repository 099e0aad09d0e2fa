package io.sluice.jobs.mix.rest;

import io.sluice.control.history.RunFold;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.Topics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What logs come to of which the last record is not enough: behind the entry that ended its run one
 * may have such as did not apply, or answers to what was asked of the run since. Each is folded
 * from its newest snapshot on.
 */
record LogEndings(RestBrokers brokers, Topics topics) {
  private static final Logger LOG = LoggerFactory.getLogger(LogEndings.class);

  /** A log with more behind its newest snapshot is read by its controller alone. */
  private static final long MOST_RECORDS = 512;

  /**
   * Those that have ended.
   *
   * @param ends where the logs of runs end, by run id
   */
  Map<String, LogEnding> of(Map<String, Long> ends) {
    Map<TopicPartition, Span> parts = new HashMap<>();
    Map<TopicPartition, String> runs = new HashMap<>();
    if (!ends.isEmpty()) {
      Map<String, LogBeginning> newest = brokers.newest(ends.keySet());
      ends.forEach(
          (runId, end) -> {
            LogBeginning beginning = newest.get(runId);
            if (beginning != null && end - beginning.offset() <= MOST_RECORDS) {
              TopicPartition log = new TopicPartition(topics.control(runId), 0);
              parts.put(log, new Span(beginning.offset(), end));
              runs.put(log, runId);
            }
          });
    }
    Map<String, RunFold> folds = new HashMap<>();
    Set<String> broken = new HashSet<>();
    brokers.read(
        parts,
        message -> {
          String runId = runs.get(new TopicPartition(message.topic(), message.partition()));
          if (runId != null && !broken.contains(runId)) {
            try {
              fold(runId, message, folds);
            } catch (RuntimeException e) {
              // Whoever follows the log says what is wrong with it.
              LOG.debug("the log of run {} is read by its controller", runId, e);
              broken.add(runId);
            }
          }
        });
    folds.keySet().removeAll(broken);
    Map<String, LogEnding> found = new HashMap<>();
    folds.forEach(
        (runId, fold) ->
            LogEnding.of(fold.state().summary()).ifPresent(ending -> found.put(runId, ending)));
    return found;
  }

  private static void fold(
      String runId, ConsumerRecord<byte[], byte[]> message, Map<String, RunFold> folds) {
    RunFold fold = folds.get(runId);
    if (fold == null) {
      RunFold.begun(runId, message).ifPresent(begun -> folds.put(runId, begun));
    } else {
      fold.take(message);
    }
  }
}
