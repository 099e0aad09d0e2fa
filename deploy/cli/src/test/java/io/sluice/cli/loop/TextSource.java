package io.sluice.cli.loop;

import io.sluice.jobs.mix.source.MixtureSource;
import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.stream.StreamEvent;
import io.sluice.jobs.mix.stream.StreamFailure;
import io.sluice.jobs.mix.stream.StreamRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** A mixture source whose blocks are text: events of a stream have no equality to compare by. */
final class TextSource implements Source<String, MixSplit, EnumeratorState> {
  private static final long serialVersionUID = 1L;

  private final MixtureSource source;

  TextSource(MixtureSource source) {
    this.source = source;
  }

  /** A sequence's block, the reason of a failure, or nothing for the end of a run. */
  private static Optional<String> text(StreamEvent event) {
    if (event instanceof StreamRecord sequence) {
      return Optional.of(StandardCharsets.UTF_8.decode(sequence.value().duplicate()).toString());
    }
    return event instanceof StreamFailure failure
        ? Optional.of("failed: " + failure.reason())
        : Optional.empty();
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SplitEnumerator<MixSplit, EnumeratorState> createEnumerator(
      SplitEnumeratorContext<MixSplit> context) {
    return source.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<MixSplit, EnumeratorState> restoreEnumerator(
      SplitEnumeratorContext<MixSplit> context, EnumeratorState state) {
    return source.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<MixSplit> getSplitSerializer() {
    return source.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<EnumeratorState> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public SourceReader<String, MixSplit> createReader(SourceReaderContext context) {
    return new TextReader(source.createReader(context));
  }

  private record TextReader(SourceReader<StreamEvent, MixSplit> reader)
      implements SourceReader<String, MixSplit> {
    @Override
    public void start() {
      reader.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<String> output) throws Exception {
      return reader.pollNext(new EventOutput(output));
    }

    @Override
    public List<MixSplit> snapshotState(long checkpointId) {
      return reader.snapshotState(checkpointId);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      reader.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return reader.isAvailable();
    }

    @Override
    public void addSplits(List<MixSplit> splits) {
      reader.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
      reader.notifyNoMoreSplits();
    }

    @Override
    public void close() throws Exception {
      reader.close();
    }
  }

  private record EventOutput(ReaderOutput<String> output) implements ReaderOutput<StreamEvent> {
    @Override
    public void collect(StreamEvent event) {
      text(event).ifPresent(output::collect);
    }

    @Override
    public void collect(StreamEvent event, long timestamp) {
      text(event).ifPresent(text -> output.collect(text, timestamp));
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
    public SourceOutput<StreamEvent> createOutputForSplit(String splitId) {
      throw new UnsupportedOperationException("the source has one output for all its splits");
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
      output.releaseOutputForSplit(splitId);
    }
  }
}
