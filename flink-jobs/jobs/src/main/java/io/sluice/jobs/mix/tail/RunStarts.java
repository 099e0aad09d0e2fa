package io.sluice.jobs.mix.tail;

import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunLayout;
import io.sluice.jobs.mix.split.SplitCursor;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunStarted;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import io.sluice.schema.run.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The splits of runs that records of control logs start. */
public record RunStarts(Topics topics) {
  private static final Logger LOG = LoggerFactory.getLogger(RunStarts.class);

  /**
   * The splits of the run that a record starts, one for each lane; none of a run that has no
   * stream. Empty if it starts no run.
   */
  public Optional<List<MixSplit>> splits(ConsumerRecord<byte[], byte[]> record) {
    try {
      ControlRecord control = WireCodec.decode(ControlRecord.class, record.value());
      if (!(control.getBody() instanceof RunStarted started)) {
        return Optional.empty();
      }
      ControlEntry entry = ControlWire.read(control, record.value());
      LogPosition start = LogPosition.start(entry.runId());
      RunLog log = RunLog.of(topics, record.topic());
      if (!start.accepts(entry) || !log.topic(topics, entry.runId()).equals(record.topic())) {
        return Optional.empty();
      }
      if (Delivery.isDerived(started.getSpec())) {
        return Optional.of(List.of());
      }
      if (started.getStartOrdinals().stream().anyMatch(ordinal -> ordinal != 0)) {
        throw new IllegalArgumentException(
            "start ordinals must be 0: " + started.getStartOrdinals());
      }
      long chainStart = ChainHash.start(started.getPlanVersion(), entry.runId());
      RunLayout layout = RunLayout.of(started.getSpec(), started.getStreamTopicId(), chainStart);
      LogPosition position = start.after(entry, record.offset());
      Snapshot from = ((ControlEntry.Started) entry.body()).snapshot();
      int partition = log == RunLog.OWN ? MixSplit.OWN_LOG : record.partition();
      List<MixSplit> splits = new ArrayList<>();
      for (int lane = 0; lane < layout.lanes(); lane++) {
        SplitCursor cursor = SplitCursor.start(position, layout, from, lane);
        splits.add(new MixSplit(entry.runId(), lane, partition, layout, cursor));
      }
      return Optional.of(splits);
    } catch (RuntimeException e) {
      LOG.warn(
          "Control log {}, partition {}, offset {}: no run is started: {}",
          record.topic(),
          record.partition(),
          record.offset(),
          e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * All splits of a run as its log starts it; none if the log does not.
   *
   * @param one of them
   * @param ends of the log's topic
   */
  List<MixSplit> of(MixSplit one, PartitionReading reading, TopicEnds.Ends ends) {
    TopicPartition log = one.control(topics);
    List<MixSplit> found = new ArrayList<>();
    if (log.partition() < ends.partitions().size()) {
      reading.read(
          Map.of(log, ends.partitions().get(log.partition())),
          record -> {
            List<MixSplit> lanes = splits(record).orElse(List.of());
            boolean isIt = !lanes.isEmpty() && lanes.get(0).runId().equals(one.runId());
            found.addAll(isIt ? lanes : List.of());
            return isIt;
          });
    }
    return found;
  }
}
