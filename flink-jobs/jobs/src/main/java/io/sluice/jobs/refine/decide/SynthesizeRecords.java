package io.sluice.jobs.refine.decide;

import io.sluice.control.error.BadInputException;
import io.sluice.jobs.refine.answer.AnswerTopic;
import io.sluice.jobs.refine.read.InputRecord;
import io.sluice.refine.decide.Examined;
import io.sluice.refine.step.DocumentSteps;
import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.live.SeedAnswers;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.WireCodec;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/**
 * Has an endpoint make documents of those of the inputs, several at a time, and hands them on in
 * the order of their seeds. What is under way at a checkpoint is in its state, and comes again
 * after a restart, with the answers that the topic has.
 */
final class SynthesizeRecords extends RichAsyncFunction<InputRecord, ExaminedRecord> {
  private static final long serialVersionUID = 1L;

  /** Records under way or done before their turn, for each request at the same time. */
  private static final int AHEAD = 4;

  private static final long NO_TIMEOUT = 0;

  private final RefineSpec spec;
  private final KafkaAccess kafka;
  private transient RecordExaminer examiner;
  private transient AnswerTopic store;
  private transient SeedAnswers answers;
  private transient ExecutorService threads;

  private SynthesizeRecords(RefineSpec spec, KafkaAccess kafka) {
    this.spec = spec;
    this.kafka = kafka;
  }

  /** Adds the operator: one task, which keeps the order. */
  static SingleOutputStreamOperator<ExaminedRecord> added(
      DataStream<InputRecord> records, RefineSpec spec, KafkaAccess kafka) {
    int capacity = AHEAD * step(spec).concurrency();
    return AsyncDataStream.orderedWait(
            records,
            new SynthesizeRecords(spec, kafka),
            NO_TIMEOUT,
            TimeUnit.MILLISECONDS,
            capacity)
        .returns(ExaminedRecordSerializer.TYPE)
        .setParallelism(1);
  }

  private static SynthesisStep step(RefineSpec spec) {
    return new SynthesisStep(StepSettings.find(spec, StepNames.SYNTHESIZE).orElseThrow());
  }

  @Override
  public void open(OpenContext context) {
    examiner = new RecordExaminer(DocumentSteps.open(spec));
    store = AnswerTopic.open(kafka, kafka.topics().answers(spec.getName()));
    answers = step(spec).answers(store, System.getenv());
    threads = Executors.newFixedThreadPool(step(spec).concurrency());
  }

  @Override
  public void asyncInvoke(InputRecord record, ResultFuture<ExaminedRecord> result) {
    threads.execute(
        () -> {
          try {
            String domain = spec.getInputs().get(record.input());
            Examined found = examiner.examine(domain, record.value());
            ExaminedRecord made =
                found instanceof Examined.Usable usable
                    ? made(record, usable)
                    : new ExaminedRecord(record, found);
            result.complete(Collections.singleton(made));
          } catch (InterruptedException e) {
            // The task ends: what it took comes again.
            Thread.currentThread().interrupt();
          } catch (BadInputException e) {
            // A wrong key or model will not be right at the next try.
            result.completeExceptionally(new SuppressRestartsException(e));
          } catch (RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
  }

  /** What was made goes on in the seed's place, in its record, too. */
  private ExaminedRecord made(InputRecord record, Examined.Usable seed)
      throws InterruptedException {
    Document document = seed.document();
    Outcome outcome = answers.of(new Seed(document.getId(), document.getText()));
    if (outcome instanceof Outcome.Made made) {
      Document written =
          Document.newBuilder(document)
              .setId(made.id())
              .setText(made.text())
              .setProperties(made.properties())
              .build();
      InputRecord replaced =
          new InputRecord(
              record.number(),
              record.input(),
              record.offset(),
              record.timestamp(),
              WireCodec.encode(written),
              record.rounds(),
              record.round());
      return new ExaminedRecord(replaced, new Examined.Usable(written, seed.found()));
    }
    Outcome.Refused refused = (Outcome.Refused) outcome;
    Examination dropped =
        new Examination(
            Map.of(),
            Optional.of(new Examination.Drop(refused.kind(), refused.detail())),
            Optional.empty(),
            Map.of());
    return new ExaminedRecord(record, new Examined.Usable(document, dropped));
  }

  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
    }
    if (store != null) {
      store.close();
    }
  }
}
