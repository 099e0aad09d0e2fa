package io.sluice.jobs.prepare.read;

import io.sluice.control.work.OrderedWork;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.TaskClock;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.TokenizerStore;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Runs a {@link CorpusReader}, whose texts become tokens on several threads at once and leave in
 * the order in which they came; refused records leave through {@link #DEAD_LETTERS}.
 *
 * <p>Everything that came before a checkpoint's barrier leaves before it, so nothing of what the
 * threads do is state, and what comes out is the same for any number of them. The end markers are
 * union state, because a partition may move to another reader.
 */
public final class ReadCorpus extends AbstractStreamOperator<DomainEvent>
    implements OneInputStreamOperator<CorpusRecord, DomainEvent>, BoundedOneInput {
  /** Where refused records leave. */
  public static final OutputTag<OutputRecord> DEAD_LETTERS =
      new OutputTag<>("dead-letters", OutputRecordSerializer.TYPE);

  private static final long serialVersionUID = 1L;

  /** Bytes of records that a thread takes at once: some ten documents. */
  private static final long PIECE_BYTES = 64L << 10;

  /** Bytes of records whose texts are being made tokens; texts and tokens take about as much. */
  private static final long BYTES_AT_WORK = 16L << 20;

  /** What a record takes beside its bytes. */
  private static final long RECORD_BYTES = 512;

  private final DatasetSpec spec;
  private final KafkaAccess kafka;
  private final CorpusSources sources;
  private final TaskClock clock;
  private final int threads;
  private final transient MailboxExecutor mailbox;
  private transient EndMarkers markers;
  private transient ListState<byte[]> markerState;
  private transient Tokenizer tokenizer;
  private transient RangeDocuments ranges;
  private transient Refusals refusals;
  private transient CorpusReader reader;
  private transient OrderedWork<Read> work;
  private transient Counter documents;
  private transient Counter emptyDocuments;
  private transient Counter deadLetters;

  /** A record and what it is. */
  private record Read(CorpusRecord input, Reading reading) {}

  ReadCorpus(
      StreamOperatorParameters<DomainEvent> parameters,
      DatasetSpec spec,
      KafkaAccess kafka,
      CorpusSources sources,
      TaskClock clock,
      int threads) {
    super(parameters);
    this.spec = spec;
    this.kafka = kafka;
    this.sources = sources;
    this.clock = clock;
    this.threads = threads;
    this.mailbox = parameters.getMailboxExecutor();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
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
    tokenizer = DatasetSpecs.tokenizer(spec, TokenizerStore.of(kafka));
    ranges = sources.open(kafka, spec, tokenizer);
    refusals = new Refusals(kafka.topics(), clock);
    reader = new CorpusReader(spec, kafka.topics(), tokenizer, markers, ranges);
    work =
        new OrderedWork<>(
            "sluice-tokenize", threads, PIECE_BYTES, BYTES_AT_WORK, this::emit, this::wake);
    MetricGroup metrics = getMetricGroup();
    documents = metrics.counter("documents");
    emptyDocuments = metrics.counter("emptyDocuments");
    deadLetters = metrics.counter("deadLetters");
  }

  @Override
  public void processElement(StreamRecord<CorpusRecord> element) throws Exception {
    CorpusRecord input = element.getValue();
    Task task = reader.read(input);
    work.add(
        () -> new Read(input, task.reading().call()),
        input.value().length + task.bytes() + RECORD_BYTES);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    work.drain();
  }

  @Override
  public void endInput() throws Exception {
    work.drain();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    markerState.update(markers.snapshot());
  }

  @Override
  public void close() throws Exception {
    if (work != null) {
      work.close();
    }
    if (ranges != null) {
      ranges.close();
    }
    if (tokenizer != null) {
      tokenizer.close();
    }
    super.close();
  }

  private void wake() {
    try {
      mailbox.execute(work::emit, "tokenized documents");
    } catch (RejectedExecutionException ended) {
      LOG.debug("the task has ended before a text that it had taken", ended);
    }
  }

  private void emit(Read read) {
    emit(read.input(), read.reading());
  }

  private void emit(CorpusRecord input, Reading reading) {
    if (reading instanceof Reading.Accepted accepted) {
      count(accepted.event());
      collect(accepted.event());
    } else if (reading instanceof Reading.Several several) {
      several.readings().forEach(each -> emit(input, each));
    } else if (reading instanceof Reading.Refused refused) {
      refuse(refusals.of(input, refused.reason()));
      refused.domain().map(DocumentRefused::new).ifPresent(this::collect);
    } else if (reading instanceof Reading.RefusedInFile refused) {
      refuse(refusals.of(refused));
      collect(new DocumentRefused(refused.domain()));
    } else if (reading instanceof Reading.Lost lost) {
      refuse(refusals.of(input, lost.event().reason()));
      collect(lost.event());
    }
  }

  private void collect(DomainEvent event) {
    output.collect(new StreamRecord<>(event));
  }

  private void refuse(OutputRecord letter) {
    deadLetters.inc();
    output.collect(DEAD_LETTERS, new StreamRecord<>(letter));
  }

  private void count(DomainEvent event) {
    if (event instanceof TokenizedDocument document) {
      documents.inc();
      if (document.tokens().length == 0) {
        emptyDocuments.inc();
      }
    }
  }
}
