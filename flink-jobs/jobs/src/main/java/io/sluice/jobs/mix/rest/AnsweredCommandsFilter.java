package io.sluice.jobs.mix.rest;

import java.util.function.Predicate;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** A reader's output, and that of each of its splits, without some of the records. */
final class AnsweredCommandsFilter<T> extends FilteredOutput<T> implements ReaderOutput<T> {
  private final ReaderOutput<T> output;
  private final Predicate<T> left;

  /**
   * Round another output.
   *
   * @param left tells which are left out
   */
  AnsweredCommandsFilter(ReaderOutput<T> output, Predicate<T> left) {
    super(output, left);
    this.output = output;
    this.left = left;
  }

  /** What is left goes here. */
  ReaderOutput<T> output() {
    return output;
  }

  @Override
  public SourceOutput<T> createOutputForSplit(String splitId) {
    return new FilteredOutput<>(output.createOutputForSplit(splitId), left);
  }

  /** Flink refuses to release what there is not, and a split that was kept may have none. */
  @Override
  public void releaseOutputForSplit(String splitId) {
    var unused = output.createOutputForSplit(splitId);
    output.releaseOutputForSplit(splitId);
  }
}
