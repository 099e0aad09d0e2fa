package io.sluice.jobs.mix.rest;

import io.sluice.jobs.mix.mark.StreamMarks;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds the runs that rest: a mark says that they have ended, the record that it names is their
 * log's last and says so, too, the log has answered all that was asked as far as that record tells,
 * and nothing has come from trainers that a job has not read. Costs one record of each, and the
 * commands.
 */
record RestSearch(RestBrokers brokers, StreamMarks marks, Topics topics) {
  private static final int AT_ONCE = 500;

  /** Those that rest, by id. */
  Map<String, RestingRun> find() {
    Map<String, WholeStream> said = new HashMap<>(marks.read());
    said.entrySet().removeIf(each -> !StreamMarks.isOf(each.getKey(), each.getValue()));
    Map<String, RestingRun> found = new HashMap<>();
    if (said.isEmpty()) {
      return found;
    }
    Set<String> there = brokers.topics();
    said.values()
        .removeIf(
            mark ->
                !there.contains(log(mark.getRunId()).topic())
                    || !there.contains(feedback(mark.getRun()).topic()));
    List<WholeStream> all = List.copyOf(said.values());
    for (int i = 0; i < all.size(); i += AT_ONCE) {
      find(all.subList(i, Math.min(all.size(), i + AT_ONCE)), found);
    }
    if (!found.isEmpty()) {
      brokers.commands(
          command -> {
            RestingRun run = found.get(command.getRunId());
            if (run != null && !run.hasAnswered(command)) {
              found.remove(command.getRunId());
            }
          });
    }
    return found;
  }

  private void find(List<WholeStream> said, Map<String, RestingRun> found) {
    Map<TopicPartition, Long> ends = ends(said);
    Set<TopicPartition> heard = new HashSet<>();
    said.forEach(mark -> heard.add(feedback(mark.getRun())));
    heard.removeIf(feedback -> ends.getOrDefault(feedback, 0L) == 0);
    Map<TopicPartition, Long> kept = heard.isEmpty() ? Map.of() : brokers.kept(heard);
    Map<TopicPartition, WholeStream> quiet = new HashMap<>();
    Map<TopicPartition, Long> last = new HashMap<>();
    for (WholeStream mark : said) {
      TopicPartition log = log(mark.getRunId());
      Long feedbackEnd = ends.get(feedback(mark.getRun()));
      Long logEnd = ends.get(log);
      if (logEnd != null
          && logEnd == mark.getLogOffset() + 1
          && feedbackEnd != null
          && feedbackEnd >= 0
          && kept.getOrDefault(feedback(mark.getRun()), 0L) >= feedbackEnd) {
        quiet.put(log, mark);
        last.put(log, mark.getLogOffset());
      }
    }
    brokers.read(
        last,
        message -> {
          TopicPartition log = new TopicPartition(message.topic(), message.partition());
          WholeStream mark = quiet.get(log);
          if (mark != null) {
            answered(mark, message)
                .ifPresent(
                    answered ->
                        found.put(
                            mark.getRunId(),
                            new RestingRun(
                                mark.getRunId(),
                                mark.getRun(),
                                mark.getLogOffset() + 1,
                                ends.getOrDefault(feedback(mark.getRun()), 0L),
                                answered)));
          }
        });
  }

  private Map<TopicPartition, Long> ends(Collection<WholeStream> of) {
    List<TopicPartition> asked = new ArrayList<>();
    of.forEach(mark -> asked.add(log(mark.getRunId())));
    of.forEach(mark -> asked.add(feedback(mark.getRun())));
    return brokers.ends(asked);
  }

  /**
   * Ids of commands that a log has answered, as its last record says.
   *
   * @return empty if that is not what the mark says, or of a run that has not ended
   */
  private static Optional<Set<String>> answered(
      WholeStream mark, ConsumerRecord<byte[], byte[]> message) {
    byte[] value = message.value();
    if (value == null
        || message.offset() != mark.getLogOffset()
        || ChainHash.fnv(ChainHash.FNV_OFFSET, value) != mark.getLogDigest()) {
      return Optional.empty();
    }
    try {
      ControlRecord record = WireCodec.decode(ControlRecord.class, value);
      return record.getRunId().equals(mark.getRunId())
          ? RestingRun.answered(record.getBody())
          : Optional.empty();
    } catch (WireFormatException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The runs among these of which something has come since, or something is gone. */
  Set<String> moved(Collection<RestingRun> runs) {
    List<TopicPartition> asked = new ArrayList<>();
    runs.forEach(run -> asked.add(log(run.runId())));
    runs.forEach(run -> asked.add(feedback(run.run())));
    Map<TopicPartition, Long> ends = brokers.ends(asked);
    Set<String> moved = new HashSet<>();
    for (RestingRun run : runs) {
      if (ends.getOrDefault(log(run.runId()), run.logEnd()) != run.logEnd()
          || ends.getOrDefault(feedback(run.run()), run.feedbackEnd()) != run.feedbackEnd()) {
        moved.add(run.runId());
      }
    }
    return moved;
  }

  private TopicPartition log(String runId) {
    return new TopicPartition(topics.control(runId), 0);
  }

  private TopicPartition feedback(String run) {
    return new TopicPartition(topics.feedback(run), 0);
  }
}
