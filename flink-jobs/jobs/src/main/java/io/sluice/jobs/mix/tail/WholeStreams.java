package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.mark.StreamMarks;
import io.sluice.jobs.mix.tail.TopicEnds.Answers;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.ChainHash;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs that have ended and have all of their streams, as marks say: of those neither the log nor
 * the stream is read.
 *
 * <p>A mark is believed if both topics are those that it names, the log still has the record at
 * which the run had ended, and no partition of the stream ends before where it ended then.
 */
record WholeStreams(PartitionReading reading, TopicEnds ends, StreamMarks marks, Topics topics) {
  private static final int AT_ONCE = 250;

  /** In place of an offset: the log's last record. */
  static final long LAST = -1;

  /**
   * A run that has ended, and of which all is in its stream.
   *
   * @param logOffset of a record of its own log, at or after which it had ended; {@link #LAST}
   * @param stream where its topic ends at least
   */
  record Whole(String runId, String run, int lanes, long logOffset, Ends stream) {}

  /**
   * What marks say of runs.
   *
   * @param lanes how many lanes each run has that needs nothing
   * @param unknown runs with a mark that can neither be believed nor taken back now: nobody may go
   *     on with them before they are asked for again
   */
  record Belief(Map<String, Integer> lanes, Set<String> unknown) {}

  /**
   * Which of the runs with logs of their own need nothing. Marks that are not believed are taken
   * back before anybody goes on with their runs: else they might come true again while a stream is
   * written anew.
   *
   * @param runIds some that have a log
   * @param ended those with which nobody goes on whatever their marks are worth: they keep theirs,
   *     which are not looked at
   * @param all whether no others have one: their marks are taken back, too
   */
  Belief believed(Collection<String> runIds, Set<String> ended, boolean all) {
    Map<String, WholeStream> said = marks.read();
    Belief belief = new Belief(new HashMap<>(), new HashSet<>());
    Map<String, WholeStream> own = new HashMap<>(said);
    own.keySet().retainAll(Set.copyOf(runIds));
    own.entrySet().removeIf(each -> !StreamMarks.isOf(each.getKey(), each.getValue()));
    Set<String> revoked = new HashSet<>(all ? said.keySet() : own.keySet());
    revoked.removeIf(runId -> own.containsKey(runId) && ended.contains(runId));
    own.keySet().removeAll(ended);
    List<WholeStream> asked = List.copyOf(own.values());
    for (int i = 0; i < asked.size(); i += AT_ONCE) {
      believe(asked.subList(i, Math.min(asked.size(), i + AT_ONCE)), belief);
    }
    revoked.removeAll(belief.lanes().keySet());
    revoked.removeAll(belief.unknown());
    if (!revoked.isEmpty()) {
      marks.write(List.of(), revoked);
    }
    return belief;
  }

  private void believe(List<WholeStream> said, Belief belief) {
    List<String> names = new ArrayList<>();
    said.forEach(mark -> names.add(topics.control(mark.getRunId())));
    said.forEach(mark -> names.add(topics.stream(mark.getRun())));
    Answers there = ends.of(names);
    Map<TopicPartition, WholeStream> logs = new HashMap<>();
    Map<TopicPartition, Span> parts = new HashMap<>();
    for (WholeStream mark : said) {
      TopicPartition log = log(mark.getRunId());
      Ends logEnds = there.of(log.topic());
      String streamTopic = topics.stream(mark.getRun());
      Ends stream = there.of(streamTopic);
      if (there.isUnknown(log.topic()) || there.isUnknown(streamTopic)) {
        belief.unknown().add(mark.getRunId());
      } else if (logEnds != null && stream != null && isThere(mark, logEnds, stream)) {
        logs.put(log, mark);
        parts.put(log, new Span(mark.getLogOffset(), mark.getLogOffset() + 1));
      }
    }
    reading.read(
        parts,
        message -> {
          TopicPartition log = new TopicPartition(message.topic(), message.partition());
          WholeStream mark = logs.get(log);
          if (mark != null
              && message.offset() == mark.getLogOffset()
              && digest(message) == mark.getLogDigest()) {
            belief.lanes().put(mark.getRunId(), mark.getLanes());
          }
          return true;
        });
    renew(logs.values(), there, belief);
  }

  /** Marks whose logs have gone on since name the last record from then on. */
  private void renew(Collection<WholeStream> said, Answers there, Belief belief) {
    List<Whole> older = new ArrayList<>();
    for (WholeStream mark : said) {
      Ends log = there.of(topics.control(mark.getRunId()));
      Ends stream = there.of(topics.stream(mark.getRun()));
      if (log != null
          && stream != null
          && belief.lanes().containsKey(mark.getRunId())
          && log.partitions().get(0).to() != mark.getLogOffset() + 1) {
        older.add(new Whole(mark.getRunId(), mark.getRun(), mark.getLanes(), LAST, stream));
      }
    }
    if (!older.isEmpty()) {
      mark(older);
    }
  }

  private static boolean isThere(WholeStream mark, Ends log, Ends stream) {
    Span entries = log.partitions().get(0);
    return log.id().equals(mark.getLogTopicId())
        && stream.id().equals(mark.getStreamTopicId())
        && entries.from() <= mark.getLogOffset()
        && entries.to() > mark.getLogOffset()
        && stream.reaches(mark.getEnds());
  }

  /** Marks runs. One whose log is gone, or does not answer, gets none. */
  void mark(Collection<Whole> runs) {
    Answers there = ends.of(runs.stream().map(run -> topics.control(run.runId())).toList());
    Map<TopicPartition, Whole> logs = new HashMap<>();
    Map<TopicPartition, Span> parts = new HashMap<>();
    for (Whole run : runs) {
      Ends log = there.of(topics.control(run.runId()));
      if (log != null) {
        Span all = log.partitions().get(0);
        long offset = run.logOffset() == LAST ? all.to() - 1 : run.logOffset();
        logs.put(log(run.runId()), run);
        if (offset >= all.from() && offset < all.to()) {
          parts.put(log(run.runId()), new Span(offset, offset + 1));
        }
      }
    }
    List<WholeStream> found = new ArrayList<>();
    reading.read(
        parts,
        message -> {
          TopicPartition log = new TopicPartition(message.topic(), message.partition());
          Whole run = logs.get(log);
          Span part = parts.get(log);
          Ends of = there.of(message.topic());
          if (run != null && of != null && part != null && message.offset() == part.from()) {
            found.add(
                new WholeStream(
                    run.runId(),
                    run.run(),
                    run.lanes(),
                    of.id(),
                    message.offset(),
                    digest(message),
                    run.stream().id(),
                    run.stream().partitions().stream().map(Span::to).toList()));
          }
          return true;
        });
    if (!found.isEmpty()) {
      marks.write(found, List.of());
    }
  }

  private TopicPartition log(String runId) {
    return new TopicPartition(topics.control(runId), 0);
  }

  private static long digest(ConsumerRecord<byte[], byte[]> message) {
    byte[] value = message.value() == null ? new byte[0] : message.value();
    return ChainHash.fnv(ChainHash.FNV_OFFSET, value);
  }
}
