package io.sluice.jobs.mix.rest;

import java.util.function.Predicate;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.SourceOutput;

/** An output without some of the records. */
class FilteredOutput<T> implements SourceOutput<T> {
  private final SourceOutput<T> output;
  private final Predicate<T> left;

  /**
   * Round another output.
   *
   * @param left tells which are left out
   */
  FilteredOutput(SourceOutput<T> output, Predicate<T> left) {
    this.output = output;
    this.left = left;
  }

  @Override
  public void collect(T event) {
    if (!left.test(event)) {
      output.collect(event);
    }
  }

  @Override
  public void collect(T event, long timestamp) {
    if (!left.test(event)) {
      output.collect(event, timestamp);
    }
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    output.emitWatermark(watermark);
  }

  @Override
  public void markIdle() {
    output.markIdle();
  }

  @Override
  public void markActive() {
    output.markActive();
  }
}
