package io.sluice.jobs.mix.rest;

import java.util.function.Predicate;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/**
 * An output without some of the records.
 *
 * @param left tells which are left out
 */
record AnsweredCommandsFilter<T>(ReaderOutput<T> output, Predicate<T> left)
    implements ReaderOutput<T> {
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

  @Override
  public SourceOutput<T> createOutputForSplit(String splitId) {
    return new OfSplit<>(output.createOutputForSplit(splitId), left);
  }

  @Override
  public void releaseOutputForSplit(String splitId) {
    output.releaseOutputForSplit(splitId);
  }

  private record OfSplit<T>(SourceOutput<T> output, Predicate<T> left) implements SourceOutput<T> {
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
}
