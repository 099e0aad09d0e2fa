package io.sluice.jobs.mix.rest;

import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Runs that may rest, as far as their topics are read. */
final class RestCandidates {
  private final Topics topics;
  private final Map<TopicPartition, Long> ends;
  private final Map<String, List<AskedCommand>> asked;
  private final Map<String, RestingRun> found;
  private final Map<String, WholeStream> marks = new HashMap<>();
  private final Map<String, Long> unclear = new HashMap<>();

  /**
   * None yet.
   *
   * @param ends where their topics end; negative of those that are gone
   * @param asked of them, oldest first
   * @param found takes those that rest
   */
  RestCandidates(
      Topics topics,
      Map<TopicPartition, Long> ends,
      Map<String, List<AskedCommand>> asked,
      Map<String, RestingRun> found) {
    this.topics = topics;
    this.ends = ends;
    this.asked = asked;
    this.found = found;
  }

  /**
   * Takes in a run whose log reaches beyond what its mark names.
   *
   * @param kept up to where a job has read what trainers say of it
   * @return whether it may rest
   */
  boolean add(WholeStream mark, long kept) {
    long feedback = end(topics.feedback(mark.getRun()));
    boolean quiet = feedback >= 0 && kept >= feedback;
    if (quiet && end(topics.control(mark.getRunId())) > mark.getLogOffset()) {
      marks.put(mark.getRunId(), mark);
      return true;
    }
    return false;
  }

  private long end(String topic) {
    return ends.getOrDefault(new TopicPartition(topic, 0), -1L);
  }

  /** Looks at the record of a log that a mark names: it may say all. */
  void look(ConsumerRecord<byte[], byte[]> message) {
    String runId = topics.runIdOf(message.topic());
    WholeStream mark = marks.get(runId);
    byte[] value = message.value();
    if (mark == null
        || value == null
        || message.offset() != mark.getLogOffset()
        || ChainHash.fnv(ChainHash.FNV_OFFSET, value) != mark.getLogDigest()) {
      return;
    }
    long end = end(message.topic());
    Optional<LogEnding> said =
        message.offset() + 1 == end ? ending(runId, value) : Optional.empty();
    if (said.isEmpty() || !settle(runId, said.get())) {
      unclear.put(runId, end);
    }
  }

  private static Optional<LogEnding> ending(String runId, byte[] value) {
    try {
      ControlRecord record = WireCodec.decode(ControlRecord.class, value);
      return record.getRunId().equals(runId) ? LogEnding.of(record.getBody()) : Optional.empty();
    } catch (WireFormatException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Where the logs end of those of which the record that is named does not say enough. */
  Map<String, Long> unclear() {
    return unclear;
  }

  /** What the log of a run says; whether the run rests. */
  boolean settle(String runId, LogEnding ending) {
    WholeStream mark = marks.get(runId);
    List<AskedCommand> commands = asked.getOrDefault(runId, List.of());
    if (mark == null || !ending.settles(commands)) {
      return false;
    }
    found.put(
        runId,
        new RestingRun(
            runId,
            mark.getRun(),
            end(topics.control(runId)),
            end(topics.feedback(mark.getRun())),
            commands.stream().map(AskedCommand::id).collect(Collectors.toSet())));
    return true;
  }
}
