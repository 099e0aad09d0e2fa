package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.TaskClock;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Runs a {@link CorpusReader}; refused records leave through {@link #DEAD_LETTERS}. The end markers
 * are union state, because a partition may move to another reader.
 */
public final class ReadCorpus extends ProcessFunction<CorpusRecord, DomainEvent>
    implements CheckpointedFunction {
  /** Where refused records leave. */
  public static final OutputTag<byte[]> DEAD_LETTERS =
      new OutputTag<>("dead-letters", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private static final long serialVersionUID = 1L;

  private final DatasetSpec spec;
  private final Topics topics;
  private final TaskClock clock;
  private transient EndMarkers markers;
  private transient ListState<byte[]> markerState;
  private transient Tokenizer tokenizer;
  private transient CorpusReader reader;
  private transient Counter documents;
  private transient Counter emptyDocuments;
  private transient Counter deadLetters;

  /** A reader of a dataset's corpus topics. */
  public ReadCorpus(DatasetSpec spec, Topics topics, TaskClock clock) {
    this.spec = spec;
    this.topics = topics;
    this.clock = clock;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    markers = new EndMarkers();
    markerState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "end-markers", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    for (byte[] entry : markerState.get()) {
      markers.restore(entry);
    }
  }

  @Override
  public void open(OpenContext context) {
    tokenizer = DatasetSpecs.tokenizer(spec);
    reader = new CorpusReader(spec, topics, tokenizer, markers);
    MetricGroup metrics = getRuntimeContext().getMetricGroup();
    documents = metrics.counter("documents");
    emptyDocuments = metrics.counter("emptyDocuments");
    deadLetters = metrics.counter("deadLetters");
  }

  @Override
  public void processElement(CorpusRecord input, Context context, Collector<DomainEvent> out) {
    Reading reading = reader.read(input);
    if (reading instanceof Reading.Accepted accepted) {
      count(accepted.event());
      out.collect(accepted.event());
    } else if (reading instanceof Reading.Refused refused) {
      deadLetters.inc();
      context.output(DEAD_LETTERS, WireCodec.encode(deadLetter(input, refused.reason())));
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    markerState.update(markers.snapshot());
  }

  @Override
  public void close() {
    if (tokenizer != null) {
      tokenizer.close();
    }
  }

  private void count(DomainEvent event) {
    if (event instanceof TokenizedDocument document) {
      documents.inc();
      if (document.tokens().length == 0) {
        emptyDocuments.inc();
      }
    }
  }

  private DeadLetter deadLetter(CorpusRecord input, String reason) {
    return DeadLetters.of(
        "prepare",
        input.topic(),
        input.partition(),
        input.offset(),
        reason,
        input.value(),
        clock.getAsLong());
  }
}
