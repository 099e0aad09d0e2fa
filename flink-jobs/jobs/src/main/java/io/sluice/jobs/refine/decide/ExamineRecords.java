package io.sluice.jobs.refine.decide;

import io.sluice.control.work.OrderedWork;
import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.schema.RefineSpec;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Has the steps look at records on several threads at once, and hands them on in the order in which
 * they came. Nothing of it is state: what came before a checkpoint's barrier leaves before it.
 */
final class ExamineRecords extends AbstractStreamOperator<ExaminedRecord>
    implements OneInputStreamOperator<InputRecord, ExaminedRecord>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Bytes of records that a thread takes at once: some ten documents. */
  private static final long PIECE_BYTES = 64L << 10;

  /** Bytes of records at work; words and n-grams of their texts take some three times as much. */
  private static final long BYTES_AT_WORK = 16L << 20;

  /** What a record takes beside its bytes. */
  private static final long RECORD_BYTES = 1024;

  private final RefineSpec spec;
  private final int threads;
  private final transient MailboxExecutor mailbox;
  private transient RecordExaminer examiner;
  private transient OrderedWork<ExaminedRecord> work;

  ExamineRecords(
      StreamOperatorParameters<ExaminedRecord> parameters, RefineSpec spec, int threads) {
    super(parameters);
    this.spec = spec;
    this.threads = threads;
    this.mailbox = parameters.getMailboxExecutor();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    examiner = new RecordExaminer(DocumentSteps.open(spec));
    work =
        new OrderedWork<>(
            "sluice-refine",
            threads,
            PIECE_BYTES,
            BYTES_AT_WORK,
            examined -> output.collect(new StreamRecord<>(examined)),
            this::wake);
  }

  @Override
  public void processElement(StreamRecord<InputRecord> element) throws Exception {
    InputRecord record = element.getValue();
    String domain = spec.getInputs().get(record.input());
    work.add(
        () -> new ExaminedRecord(record, examiner.examine(domain, record.value())),
        record.value().length + RECORD_BYTES);
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
  public void close() throws Exception {
    if (work != null) {
      work.close();
    }
    super.close();
  }

  private void wake() {
    try {
      mailbox.execute(work::emit, "examined records");
    } catch (RejectedExecutionException ended) {
      LOG.debug("the task has ended before a record that it had taken", ended);
    }
  }
}
