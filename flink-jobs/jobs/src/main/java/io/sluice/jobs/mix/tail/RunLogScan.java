package io.sluice.jobs.mix.tail;

import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.tail.TopicEnds.Answers;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryLink;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The control logs of runs, as far as they go now, many of them at once. */
record RunLogScan(PartitionReading reading, TopicEnds ends, Topics topics) {
  /** What is done with the records of runs. */
  interface Reader {
    /**
     * Takes an entry, whether it applies or not.
     *
     * @param bytes of its record
     */
    void take(ControlEntry entry, long offset, int bytes);

    /** Takes a record that is no entry. */
    void reject(EntryLink record, long offset, String reason);

    /** Whether a run needs no more. */
    boolean isDone(String runId);
  }

  /**
   * Where a run's log is read on.
   *
   * @param run any split of it
   */
  record After(MixSplit run, LogPosition position) {
    TopicPartition log(Topics topics) {
      return run.control(topics);
    }
  }

  /** What is known of the logs of runs. */
  Answers ask(Collection<MixSplit> runs) {
    return ends.of(runs.stream().map(this::topic).collect(Collectors.toSet()));
  }

  /** The topic of a run's log. */
  String topic(MixSplit run) {
    return run.control(topics).topic();
  }

  /**
   * Reads on in logs.
   *
   * @param there what is known of them; none is unknown
   * @return the runs whose logs are gone
   */
  Set<String> read(Collection<After> runs, Answers there, Reader reader) {
    Map<String, TopicPartition> logs = new HashMap<>();
    runs.forEach(each -> logs.put(each.run().runId(), each.log(topics)));
    Map<TopicPartition, Span> parts = new HashMap<>();
    Map<TopicPartition, Set<String>> open = new HashMap<>();
    Set<String> gone = new HashSet<>();
    for (After each : runs) {
      String runId = each.run().runId();
      TopicPartition log = each.log(topics);
      Ends found = there.of(log.topic());
      if (found == null || found.partitions().size() <= log.partition()) {
        gone.add(runId);
        continue;
      }
      long next = each.position().offset() + 1;
      long end = found.partitions().get(log.partition()).to();
      parts.merge(log, new Span(next, end), (a, b) -> new Span(Math.min(a.from(), b.from()), end));
      open.computeIfAbsent(log, l -> new HashSet<>()).add(runId);
    }
    reading.read(parts, message -> isLast(message, logs, open, reader));
    return gone;
  }

  private static boolean isLast(
      ConsumerRecord<byte[], byte[]> message,
      Map<String, TopicPartition> logs,
      Map<TopicPartition, Set<String>> open,
      Reader reader) {
    TopicPartition log = new TopicPartition(message.topic(), message.partition());
    ControlRecord record;
    try {
      record = WireCodec.decode(ControlRecord.class, message.value());
    } catch (WireFormatException e) {
      return false;
    }
    String runId = record.getRunId();
    Set<String> wanted = open.getOrDefault(log, Set.of());
    if (!log.equals(logs.get(runId))
        || !wanted.contains(runId)
        || LogBeginning.isMisplaced(record, message.topic())) {
      return false;
    }
    try {
      reader.take(
          ControlWire.read(record, message.value()), message.offset(), message.value().length);
    } catch (IllegalArgumentException e) {
      EntryLink link = ControlWire.link(record, message.value());
      reader.reject(link, message.offset(), String.valueOf(e.getMessage()));
    }
    if (reader.isDone(runId)) {
      wanted.remove(runId);
    }
    return wanted.isEmpty();
  }
}
