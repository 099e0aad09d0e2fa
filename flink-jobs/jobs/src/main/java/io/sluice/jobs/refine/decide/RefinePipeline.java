package io.sluice.jobs.refine.decide;

import io.sluice.control.topics.TopicAdmin;
import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.jobs.refine.read.RefineSource;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.jobs.write.OutputRecordSerializer;
import io.sluice.jobs.write.OutputSinks;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The operators of one refinery. Texts are examined by as many tasks as the environment has; one
 * reads, one decides and one writes, because each decision depends on all before it.
 */
public record RefinePipeline(KafkaAccess kafka, RefineSpec spec, HeapShare heap) {
  /** Bytes of filters for a document. */
  private static final long FILTERED_DOCUMENT = 50;

  /** Bytes of filters, about, in which what is known of documents is kept; 0 without them. */
  public static long filterBytes(RefineSpec spec) {
    return StepSettings.find(spec, StepNames.DUPLICATES)
        .filter(step -> StepSettings.text(step, "memory").equals(KnownDocuments.FILTERS))
        .map(step -> FILTERED_DOCUMENT * StepSettings.large(step, "documents"))
        .orElse(0L);
  }

  /** Adds the operators. */
  public void build(StreamExecutionEnvironment env, int threads) {
    // Whoever starts the job is told of a model that cannot be used, before any task is.
    DocumentSteps.open(spec);
    String uid = "refine-" + spec.getName();
    SingleOutputStreamOperator<InputRecord> inputs =
        env.fromSource(new RefineSource(kafka, spec), WatermarkStrategy.noWatermarks(), "inputs")
            .setParallelism(1)
            .uid(uid + "-inputs");
    SingleOutputStreamOperator<OutputRecord> decided =
        examined(inputs, threads)
            .setBufferTimeout(OutputSinks.LINGER.toMillis())
            .uid(uid + "-examine")
            .keyBy(examined -> DecideRecords.KEY, Types.STRING)
            .transform("decide", OutputRecordSerializer.TYPE, new DecideRecords(spec, kafka, heap))
            .setParallelism(1)
            .setMaxParallelism(1)
            .uid(uid + "-decide");
    decided
        .getSideOutput(DecideRecords.DEAD_LETTERS)
        .sinkTo(OutputSinks.deadLetters(kafka))
        .setParallelism(1)
        .name("dead letters")
        .uid(uid + "-dead-letters");
    decided.sinkTo(documents()).setParallelism(1).name("documents").uid(uid + "-documents");
  }

  private SingleOutputStreamOperator<ExaminedRecord> examined(
      DataStream<InputRecord> inputs, int threads) {
    if (StepSettings.find(spec, StepNames.SYNTHESIZE).isPresent()) {
      return SynthesizeRecords.added(inputs, spec, kafka).name("synthesize");
    }
    return inputs
        .rebalance()
        .transform(
            "examine", ExaminedRecordSerializer.TYPE, new ExamineRecordsFactory(spec, threads));
  }

  private Sink<OutputRecord> documents() {
    List<String> written = new ArrayList<>(List.of(kafka.topics().refined(spec.getName())));
    spec.getDomains().forEach(domain -> written.add(kafka.topics().corpus(domain)));
    // A refinery's name holds no '.', so no prefix is the start of another's.
    return OutputSinks.exactlyOnce(
        kafka,
        "refine-" + spec.getName(),
        written,
        spec.getDomains().size(),
        TopicAdmin.DOCUMENT_BYTES);
  }
}
