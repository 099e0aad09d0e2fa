package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.split.SplitPlaces;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** One run's stream and log, read as far back as they must be to go on with it. */
record RunReading(PartitionReading reading, RunLogScan logs, Topics topics, long window) {
  /** Records of a partition that tell how large they are. */
  private static final long LEAST = 64;

  /**
   * Where a run's stream ends in each lane.
   *
   * @param stream its topic, which is that of the run
   * @throws BrokenRunException if it cannot be told
   */
  List<LaneEnd> ends(RunOutline outline, Ends stream) {
    RunLayout layout = outline.first().layout();
    Map<String, Long> domainHashes = new HashMap<>();
    for (String domain : outline.domains()) {
      domainHashes.put(domain, ChainHash.domain(layout.fingerprint(), domain));
    }
    int partitions = layout.streamPartitions();
    PartitionTail[] tails = new PartitionTail[partitions];
    long[] records = new long[partitions];
    Collection<Integer> wanted = IntStream.range(0, partitions).boxed().toList();
    while (true) {
      Map<TopicPartition, Span> parts = new HashMap<>();
      long[] bytes = new long[partitions];
      for (int p : wanted) {
        Span all = stream.partitions().get(p);
        records[p] = records[p] == 0 ? LEAST : records[p];
        long from = Math.max(all.from(), all.to() - records[p]);
        parts.put(new TopicPartition(topics.stream(layout.run()), p), new Span(from, all.to()));
        tails[p] = new PartitionTail(p, partitions, from == all.from(), all.from() > 0);
      }
      reading.read(
          parts,
          message -> {
            TailRecord record = TailRecord.of(message, domainHashes, layout.fingerprint());
            bytes[message.partition()] += record.bytes();
            tails[message.partition()].add(record, outline);
            return false;
          });
      StreamEnd end = StreamEnd.of(outline, window, List.of(tails));
      if (end.wanted().isEmpty()) {
        return end.ends();
      }
      wanted = end.wanted();
      for (int p : wanted) {
        long average = Math.max(1, bytes[p] / records[p]);
        records[p] = Math.max(2 * records[p], window / average * 9 / 8);
      }
    }
  }

  /**
   * The splits that go on there.
   *
   * @throws BrokenRunException if the log does not say how
   */
  List<MixSplit> splits(RunOutline outline, Collection<LaneEnd> ends) {
    SplitPlaces places = new SplitPlaces(outline, ends);
    logs.read(
        List.of(outline.first()),
        new RunLogScan.Reader() {
          @Override
          public void take(ControlEntry entry, long offset) {
            places.apply(entry, offset);
          }

          @Override
          public void reject(ControlRecord record, long offset, String reason) {
            // What is no entry does not apply; the outline would have failed if it had to.
          }

          @Override
          public boolean isDone(String runId) {
            return places.isComplete();
          }
        });
    return new ArrayList<>(places.end());
  }

  /** The runs' outlines; a run that fails has none, and its reason is kept. */
  Set<String> outline(Map<String, RunOutline> runs, Map<String, RuntimeException> broken) {
    return logs.read(
        runs.values().stream().map(RunOutline::first).toList(),
        new RunLogScan.Reader() {
          @Override
          public void take(ControlEntry entry, long offset) {
            change(entry.runId(), outline -> outline.apply(entry, offset));
          }

          @Override
          public void reject(ControlRecord record, long offset, String reason) {
            change(
                record.getRunId(),
                outline -> outline.reject(record.getSerial(), record.getBasedOn(), offset, reason));
          }

          @Override
          public boolean isDone(String runId) {
            return broken.containsKey(runId);
          }

          private void change(String runId, Consumer<RunOutline> how) {
            RunOutline outline = runs.get(runId);
            if (outline != null) {
              try {
                how.accept(outline);
              } catch (RuntimeException e) {
                broken.put(runId, e);
              }
            }
          }
        });
  }
}
