package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

/** Where a stream in memory ends; each of its records counts one byte. */
public final class SimulatedTails {
  private SimulatedTails() {}

  /** A stream's partitions; places count what was removed, too. */
  public interface Stream {
    /** Place of the first record that is left. */
    int begin(int partition);

    /** Place after the last record. */
    int end(int partition);

    StreamRecord at(int partition, int place);
  }

  /**
   * The ends of all lanes.
   *
   * @param window records of a partition that a writer may have on their way
   * @param least records of each partition that are read at first
   */
  public static List<LaneEnd> ends(RunOutline outline, Stream stream, long window, int least) {
    RunLayout layout = outline.first().layout();
    Map<String, Long> hashes = new HashMap<>();
    for (String domain : outline.domains()) {
      hashes.put(domain, ChainHash.domain(layout.fingerprint(), domain));
    }
    int partitions = layout.streamPartitions();
    int[] records = IntStream.generate(() -> least).limit(partitions).toArray();
    while (true) {
      List<PartitionTail> tails = new ArrayList<>();
      for (int p = 0; p < partitions; p++) {
        int begin = stream.begin(p);
        int from = Math.max(begin, stream.end(p) - records[p]);
        PartitionTail tail = new PartitionTail(p, partitions, from == begin, begin > 0);
        for (int place = from; place < stream.end(p); place++) {
          tail.add(read(stream.at(p, place), place, hashes, layout.fingerprint()), outline);
        }
        tails.add(tail);
      }
      StreamEnd end = StreamEnd.of(outline, window, tails);
      if (end.wanted().isEmpty()) {
        return end.ends();
      }
      end.wanted().forEach(p -> records[p] *= 2);
    }
  }

  private static TailRecord read(
      StreamRecord record, int place, Map<String, Long> hashes, long fingerprint) {
    byte[] value = new byte[record.value().remaining()];
    record.value().duplicate().get(value);
    TailRecord read =
        TailRecord.of(
            new ConsumerRecord<>(
                "stream",
                record.partition(),
                place,
                record.timestamp(),
                TimestampType.CREATE_TIME,
                0,
                value.length,
                new byte[0],
                value,
                new RecordHeaders(List.of(new RecordHeader(StreamHeader.KEY, record.header()))),
                Optional.empty()),
            hashes,
            fingerprint);
    return new TailRecord(read.offset(), read.header(), 1, read.block());
  }
}
