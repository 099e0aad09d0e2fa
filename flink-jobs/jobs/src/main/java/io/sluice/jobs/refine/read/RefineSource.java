package io.sluice.jobs.refine.read;

import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * All records of a refinery's inputs, in an order that is a pure function of the inputs and of the
 * logged rounds. One reader has them, whatever the parallelism.
 */
public final class RefineSource
    implements Source<InputRecord, RefinePosition, Optional<RefinePosition>>,
        ResultTypeQueryable<InputRecord> {
  private static final long serialVersionUID = 1L;

  private final KafkaAccess access;
  private final RefineSpec spec;

  /** The inputs of a specification. */
  public RefineSource(KafkaAccess access, RefineSpec spec) {
    this.access = access;
    this.spec = spec;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<RefinePosition, Optional<RefinePosition>> createEnumerator(
      SplitEnumeratorContext<RefinePosition> context) {
    return restoreEnumerator(context, Optional.of(RefinePosition.start(spec.getInputs().size())));
  }

  @Override
  public SplitEnumerator<RefinePosition, Optional<RefinePosition>> restoreEnumerator(
      SplitEnumeratorContext<RefinePosition> context, Optional<RefinePosition> free) {
    return new OneReader(context, free);
  }

  @Override
  public SourceReader<InputRecord, RefinePosition> createReader(SourceReaderContext context) {
    return new Reader(access, spec, context);
  }

  @Override
  public SimpleVersionedSerializer<RefinePosition> getSplitSerializer() {
    return new RefinePositionSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Optional<RefinePosition>> getEnumeratorCheckpointSerializer() {
    return new FreeInputsSerializer();
  }

  @Override
  public TypeInformation<InputRecord> getProducedType() {
    return InputRecordSerializer.TYPE;
  }

  /** Where a reader is, once it has handed on what it was given. */
  private static final class Progress {
    private RefinePosition position;

    private Progress(RefinePosition position) {
      this.position = position;
    }

    private void emit(ReadStep step, SourceOutput<InputRecord> out) {
      RefinePosition before = position;
      position = InputReader.step(before, step);
      if (step instanceof ReadStep.Taken taken) {
        out.collect(
            new InputRecord(
                before.records(),
                taken.input(),
                taken.offset(),
                taken.timestamp(),
                taken.value(),
                before.rounds(),
                before.begun() ? List.of() : before.ends()));
      }
    }
  }

  /** Flink's reader of one split, whose state is the position. */
  private static final class Reader
      extends SingleThreadMultiplexSourceReaderBase<
          ReadStep, InputRecord, RefinePosition, Progress> {
    private Reader(KafkaAccess access, RefineSpec spec, SourceReaderContext context) {
      super(
          () -> new InputReader(access, spec),
          (step, out, progress) -> progress.emit(step, out),
          new Configuration(),
          context);
    }

    @Override
    protected void onSplitFinished(Map<String, Progress> finished) {
      throw new IllegalStateException("inputs never finish");
    }

    @Override
    protected Progress initializedState(RefinePosition split) {
      return new Progress(split);
    }

    @Override
    protected RefinePosition toSplitType(String splitId, Progress state) {
      return state.position;
    }
  }
}
