package io.sluice.jobs.refine.decide;

import io.sluice.control.refine.RefineLog;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.refine.decide.Refinery;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import java.time.Duration;
import java.util.Optional;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link Refinery}, in one task, under one key. What earlier executions have committed is
 * decided again where the state does not have it, and compared, and not written once more. Just
 * before a checkpoint's barrier the progress goes out, into the transaction of what it counts.
 */
final class DecideRecords extends AbstractStreamOperator<OutputRecord>
    implements OneInputStreamOperator<ExaminedRecord, OutputRecord>, BoundedOneInput {
  /** The one key. */
  static final String KEY = "refinery";

  /** Where dead letters leave. */
  static final OutputTag<OutputRecord> DEAD_LETTERS =
      new OutputTag<>("refine-dead-letters", OutputRecordSerializer.TYPE);

  private static final long serialVersionUID = 1L;
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final RefineSpec spec;
  private final KafkaAccess kafka;
  private final HeapShare heap;
  private transient Refinery refinery;
  private transient RecordOrder order;
  private transient DecisionRecords decisions;
  private transient ValueState<byte[]> state;
  private transient Optional<SuspectedTwins> suspected;
  private transient Optional<RefineProgress> committed;

  /** Records whose progress is told, and whether what is decided now is not committed. */
  private transient long told;

  private transient boolean isNew;

  DecideRecords(RefineSpec spec, KafkaAccess kafka, HeapShare heap) {
    this.spec = spec;
    this.kafka = kafka;
    this.heap = heap;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    setCurrentKey(KEY);
    heap.require(
        "the filters of refinery '" + spec.getName() + "' (duplicates.documents)",
        RefinePipeline.filterBytes(spec));
    KnownDocuments known = KnownDocuments.of(spec, context.getKeyedStateStore());
    suspected = known.suspected();
    refinery = new Refinery(spec, known.twins(), known.targets());
    state =
        context
            .getKeyedStateStore()
            .getState(
                new ValueStateDescriptor<>(
                    "refinery", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    byte @Nullable [] snapshot = state.value();
    if (snapshot != null) {
      refinery.restore(snapshot);
    }
    if (suspected.isPresent()) {
      suspected.get().restore();
    }
    committed = new RefineLog(kafka, spec.getName()).settledProgress(PATIENCE);
    requireCommitted();
    order = new RecordOrder(refinery.records());
    told = refinery.records();
    decisions =
        new DecisionRecords(
            spec,
            kafka.topics(),
            System::currentTimeMillis,
            message -> emit(() -> output.collect(new StreamRecord<>(message))),
            letter -> emit(() -> output.collect(DEAD_LETTERS, new StreamRecord<>(letter))));
  }

  private void requireCommitted() {
    committed.ifPresent(
        before -> {
          if (before.getFingerprint() != spec.getFingerprint()) {
            throw new IllegalStateException(
                String.format(
                    "refinery '%s' has decided with fingerprint %016x and now has %016x: settings"
                        + " that change what comes out need a new name",
                    spec.getName(), before.getFingerprint(), spec.getFingerprint()));
          }
        });
    if (refinery.records() > committedRecords()) {
      throw new IllegalStateException(
          String.format(
              "refinery '%s': the restored state has decided %d records, but committed are only"
                  + " %d: a transaction expired before it was committed; start the job without its"
                  + " state and it decides what is missing again",
              spec.getName(), refinery.records(), committedRecords()));
    }
  }

  private long committedRecords() {
    return committed.map(RefineProgress::getRecords).orElse(0L);
  }

  @Override
  public void processElement(StreamRecord<ExaminedRecord> element) {
    order.add(element.getValue(), this::decide);
  }

  private void decide(ExaminedRecord examined) {
    InputRecord record = examined.record();
    isNew = record.number() >= committedRecords();
    decisions.begin(record);
    refinery.accept(record.input(), record.offset(), examined.what(), decisions);
    if (refinery.records() == committedRecords()) {
      requireSame(committed.orElseThrow(), refinery.progress());
      told = refinery.records();
    }
  }

  /** What is committed was decided again. */
  private void requireSame(RefineProgress before, RefineProgress again) {
    boolean same =
        before.getOffsets().equals(again.getOffsets())
            && before.getCounts().equals(again.getCounts())
            && before.getOutputs().equals(again.getOutputs());
    if (!same) {
      throw new IllegalStateException(
          "refinery '"
              + spec.getName()
              + "' does not decide as it did: committed are "
              + before
              + ", its inputs now give "
              + again);
    }
  }

  /** Hands on what is not committed yet. */
  private void emit(Runnable emission) {
    if (isNew) {
      emission.run();
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    order.requireWhole();
    tellProgress();
  }

  @Override
  public void endInput() {
    tellProgress();
  }

  private void tellProgress() {
    if (refinery.records() > told && refinery.records() > committedRecords()) {
      decisions.progress(refinery.progress());
      told = refinery.records();
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    setCurrentKey(KEY);
    state.update(refinery.snapshot());
    if (suspected.isPresent()) {
      suspected.get().write();
    }
  }
}
