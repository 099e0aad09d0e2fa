package io.sluice.jobs.prepare.read;

import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.TaskClock;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operator that reads a dataset's corpus topics. */
public final class ReadCorpusFactory extends AbstractStreamOperatorFactory<DomainEvent>
    implements OneInputStreamOperatorFactory<CorpusRecord, DomainEvent> {
  /** As many threads as the task's process has processors. */
  public static final int ALL_PROCESSORS = 0;

  private static final long serialVersionUID = 1L;

  private final DatasetSpec spec;
  private final KafkaAccess kafka;
  private final CorpusSources sources;
  private final TaskClock clock;
  private final int threads;

  /**
   * Operators for a dataset.
   *
   * @param sources of documents that the corpus names
   * @param threads that make tokens of texts in each task, at least 1, or {@link #ALL_PROCESSORS}
   */
  public ReadCorpusFactory(
      DatasetSpec spec, KafkaAccess kafka, CorpusSources sources, TaskClock clock, int threads) {
    if (threads < 0) {
      throw new IllegalArgumentException("threads must be at least 0: found " + threads);
    }
    this.spec = spec;
    this.kafka = kafka;
    this.sources = sources;
    this.clock = clock;
    this.threads = threads;
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T extends StreamOperator<DomainEvent>> T createStreamOperator(
      StreamOperatorParameters<DomainEvent> parameters) {
    int here = threads == ALL_PROCESSORS ? Runtime.getRuntime().availableProcessors() : threads;
    return (T) new ReadCorpus(parameters, spec, kafka, sources, clock, here);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return ReadCorpus.class;
  }
}
