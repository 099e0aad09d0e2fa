package io.sluice.jobs.mix.split;

import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A lane of a run's stream, and how far it has come.
 *
 * @param runId the run; with the lane, the identity of the split
 * @param controlPartition of the control log, where the run's entries are
 */
public record MixSplit(
    String runId, int lane, int controlPartition, RunLayout layout, SplitCursor cursor)
    implements SourceSplit {
  @Override
  public String splitId() {
    return runId + "/" + lane;
  }

  public MixSplit at(SplitCursor next) {
    return at(layout, next);
  }

  public MixSplit at(RunLayout revised, SplitCursor next) {
    return new MixSplit(runId, lane, controlPartition, revised, next);
  }
}
