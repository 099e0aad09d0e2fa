package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.StreamHeader;
import java.util.ArrayList;
import java.util.List;

/** A partition of a run's stream, its beginning reclaimed at times. */
final class Partition {
  private final List<StreamRecord> records = new ArrayList<>();
  private final int partitions;
  private final Witness witness;
  private int begin;
  private int timeline;
  private long whole = -1;

  Partition(int partitions, Witness witness) {
    this.partitions = partitions;
    this.witness = witness;
  }

  void append(StreamRecord record) {
    records.add(record);
    StreamHeader header = StreamHeader.decode(record.header());
    boolean follows = whole < 0 || header.index() == whole + partitions;
    if (header.timeline() > timeline || (header.timeline() == timeline && follows)) {
      timeline = header.timeline();
      whole = header.index();
    } else if (header.timeline() < timeline) {
      witness.saw("sequence of an older timeline written");
    } else if (header.index() > whole) {
      witness.saw("sequence written before one that it must follow");
    } else {
      witness.saw("sequence written again");
    }
  }

  /** Place after the last record. */
  int end() {
    return records.size();
  }

  /** Place of the first record that is left. */
  int begin() {
    return begin;
  }

  StreamRecord at(int place) {
    unless(place >= begin, "record %d is reclaimed, the first one left is %d", place, begin);
    return records.get(place);
  }

  /** Place of the first record that is of a batch or a later one, as a broker looks it up. */
  int firstOf(long batch) {
    int place = begin;
    while (place < end() && records.get(place).timestamp() < batch) {
      place++;
    }
    return place;
  }

  /**
   * Drops what lies before the first record of a batch or a later one, but the last of it, if there
   * is such a record.
   */
  void reclaim(long before) {
    int first = firstOf(before);
    int kept = Math.min(first - 1, firstOf(before - 1));
    if (kept > begin && first < end()) {
      witness.saw("stream reclaimed");
      begin = kept;
    }
  }
}
