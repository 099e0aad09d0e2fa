package io.sluice.jobs.refine.decide;

import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.schema.RefineSpec;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operators that examine records. */
final class ExamineRecordsFactory extends AbstractStreamOperatorFactory<ExaminedRecord>
    implements OneInputStreamOperatorFactory<InputRecord, ExaminedRecord> {
  private static final long serialVersionUID = 1L;

  private final RefineSpec spec;
  private final int threads;

  /**
   * @param threads of each task, at least 1; 0 for as many as its process has processors
   */
  ExamineRecordsFactory(RefineSpec spec, int threads) {
    this.spec = spec;
    this.threads = threads;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T extends StreamOperator<ExaminedRecord>> T createStreamOperator(
      StreamOperatorParameters<ExaminedRecord> parameters) {
    int here = threads == 0 ? Runtime.getRuntime().availableProcessors() : threads;
    return (T) new ExamineRecords(parameters, spec, here);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return ExamineRecords.class;
  }
}
