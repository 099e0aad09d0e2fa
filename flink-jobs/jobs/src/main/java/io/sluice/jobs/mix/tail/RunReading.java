package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.tail.TopicEnds.Ends;
import io.sluice.jobs.mix.tail.TopicEnds.Span;
import io.sluice.schema.ChainHash;
import io.sluice.schema.Topics;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/** One run's stream, read as far back as it must be to go on with it. */
record RunReading(PartitionReading reading, Topics topics, long window) {
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
}
