package io.sluice.jobs.mix.source;

import io.sluice.jobs.mix.stream.StreamEnded;
import io.sluice.jobs.mix.stream.StreamEvent;
import io.sluice.jobs.mix.stream.StreamFailure;
import io.sluice.jobs.mix.stream.StreamRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/** Output that keeps the records and failures. */
final class TestingOutput implements ReaderOutput<StreamEvent> {
  final List<StreamRecord> records = new ArrayList<>();
  Consumer<StreamRecord> sink = record -> {};
  final List<StreamFailure> failures = new ArrayList<>();
  final List<StreamEnded> ends = new ArrayList<>();

  /** Splits without an output, which had one. */
  private final Set<String> released = new HashSet<>();

  @Override
  public void collect(StreamEvent event) {
    if (event instanceof StreamRecord record) {
      StreamRecord kept = record.copy();
      records.add(kept);
      sink.accept(kept);
    } else if (event instanceof StreamFailure failure) {
      failures.add(failure);
    } else {
      ends.add((StreamEnded) event);
    }
  }

  @Override
  public void collect(StreamEvent event, long timestamp) {
    collect(event);
  }

  @Override
  public void emitWatermark(Watermark watermark) {
    throw new UnsupportedOperationException("no watermarks");
  }

  @Override
  public void markIdle() {
    throw new UnsupportedOperationException("no watermarks");
  }

  @Override
  public void markActive() {
    throw new UnsupportedOperationException("no watermarks");
  }

  @Override
  public SourceOutput<StreamEvent> createOutputForSplit(String splitId) {
    if (!released.remove(splitId)) {
      throw new IllegalStateException("split " + splitId + " has an output");
    }
    return this;
  }

  @Override
  public void releaseOutputForSplit(String splitId) {
    if (!released.add(splitId)) {
      throw new IllegalStateException("split " + splitId + " has no output");
    }
  }
}
