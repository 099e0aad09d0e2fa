package io.sluice.jobs.mix.split;

import io.sluice.schema.Topics;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.kafka.common.TopicPartition;

/**
 * A lane of a run's stream, and how far it has come.
 *
 * @param runId the run; with the lane, the identity of the split
 * @param controlPartition of the shared control log, where the run's entries are; {@link #OWN_LOG}
 *     for a run that has a log of its own
 * @param reach of the stream when all before the cursor was acknowledged
 */
public record MixSplit(
    String runId,
    int lane,
    int controlPartition,
    RunLayout layout,
    SplitCursor cursor,
    StreamReach reach)
    implements SourceSplit {
  /** In place of a partition: partition 0 of the run's own control log. */
  public static final int OWN_LOG = -1;

  /** A split of which nothing was written yet, as far as is known. */
  public MixSplit(
      String runId, int lane, int controlPartition, RunLayout layout, SplitCursor cursor) {
    this(runId, lane, controlPartition, layout, cursor, StreamReach.none());
  }

  /** Where the run's entries are. */
  public TopicPartition control(Topics topics) {
    return controlPartition == OWN_LOG
        ? new TopicPartition(topics.control(runId), 0)
        : new TopicPartition(topics.control(), controlPartition);
  }

  @Override
  public String splitId() {
    return id(runId, lane);
  }

  /** The id of a lane's split. */
  public static String id(String runId, int lane) {
    return runId + "/" + lane;
  }

  /** The run of the split of an id. */
  public static String runIdOf(String splitId) {
    return splitId.substring(0, splitId.lastIndexOf('/'));
  }

  public MixSplit at(SplitCursor next) {
    return at(layout, next);
  }

  public MixSplit at(RunLayout revised, SplitCursor next) {
    return new MixSplit(runId, lane, controlPartition, revised, next, reach);
  }

  /** The same place, with what its stream holds. */
  public MixSplit reaching(StreamReach now) {
    return new MixSplit(runId, lane, controlPartition, layout, cursor, now);
  }
}
