package io.sluice.lab.chaos.trainer;

import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.feedback.FeedbackReporter;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.RunDirectory;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.client.stream.Loader;
import io.sluice.client.stream.StreamOptions;
import io.sluice.lab.chaos.history.History;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.schema.run.Delivery;
import io.sluice.service.supervise.ParentWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Main class of a trainer's process: it trains no model, but takes every batch at a steady pace,
 * reports losses that follow from step and domain, and writes a journal. Killed and started again,
 * it goes back to its last checkpoint, as a trainer does.
 */
final class ScriptedTrainer {
  private static final int SAVE_EVERY = 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final Duration FIND = Duration.ofMinutes(1);
  private static final double SHARE_LEARNED = 0.002;
  private static final long TOKENS = 1000;

  private final RunInfo run;
  private final Journal journal;
  private final Diary diary;
  private final Assignment task;
  private final ExecutorService saver =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "save");
            thread.setDaemon(true);
            return thread;
          });
  private CompletableFuture<Void> saving = CompletableFuture.completedFuture(null);

  /** The last checkpoint; of the saving thread, once there is one. */
  private volatile long saved;

  private final String attempt = UUID.randomUUID().toString();

  private ScriptedTrainer(RunInfo run, Journal journal, Diary diary, Assignment task) {
    this.run = run;
    this.journal = journal;
    this.diary = diary;
    this.task = task;
  }

  public static void main(String[] args) throws Exception {
    ParentWatch.ignoreInterrupts();
    ParentWatch.dieWithParent();
    Assignment task = Assignment.parse(args);
    KafkaAccess kafka =
        new KafkaAccess(task.bootstrapServers(), Topics.of(task.prefix()), Map.of());
    RunInfo run = find(kafka, task.runId());
    Path directory = Objects.requireNonNull(task.journal().getParent());
    try (History history = History.open(directory, task.runId(), task.clock());
        Loader stream = Loader.open(kafka, run, StreamOptions.defaults());
        FeedbackReporter feedback = FeedbackReporter.open(kafka, stream, InstantSource.system())) {
      Diary diary = new Diary(history, task.runId());
      new ScriptedTrainer(run, new Journal(task.journal()), diary, task).train(stream, feedback);
    } catch (RunEndedException e) {
      System.out.println(e.getMessage());
    }
  }

  private static RunInfo find(KafkaAccess kafka, String runId) {
    return RunDirectory.list(kafka, FIND).stream()
        .filter(run -> run.runId().equals(runId))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no run has the id " + runId));
  }

  private void train(Loader stream, FeedbackReporter feedback) throws InterruptedException {
    journal.mend();
    long done =
        journal.read().stream()
            .filter(Journal.Saved.class::isInstance)
            .mapToLong(line -> ((Journal.Saved) line).batch())
            .max()
            .orElse(0);
    journal.add(new Journal.Begun(done));
    diary.begins(done);
    saved = done;
    stream.seekToBatch(done + 1);
    while (true) {
      diary.awaits(done + 1);
      GlobalBatch batch = next(stream);
      done = batch.batch();
      report(feedback, batch);
      diary.progresses(done);
      feedback.progress(done, done, -1);
      save(feedback, batch);
      if (done > task.hurried()) {
        TimeUnit.MILLISECONDS.sleep(task.pace().toMillis());
      }
    }
  }

  /** Beside the training, which a broker that is away shall not hold up. */
  private void save(FeedbackReporter feedback, GlobalBatch batch) {
    if (batch.batch() % SAVE_EVERY == 0 && saving.isDone()) {
      saving =
          CompletableFuture.runAsync(
              () -> {
                feedback.flush();
                diary.saves(batch.timeline(), batch.batch(), saved);
                journal.add(new Journal.Saved(batch.batch()));
                saved = batch.batch();
              },
              saver);
    }
  }

  private GlobalBatch next(Loader stream) throws InterruptedException {
    long asked = System.nanoTime();
    GlobalBatch batch = null;
    while (batch == null) {
      try {
        batch = stream.next(PATIENCE);
      } catch (StreamStalledException e) {
        System.out.println(e.getMessage());
      } catch (StreamCorruptException | StreamMissingException e) {
        tryAgain(stream, e);
      }
    }
    diary.took(batch);
    SequenceDigest digest = new SequenceDigest();
    batch.sequences().forEach(s -> digest.add(s.header(), s.encodedBlock()));
    journal.add(
        new Journal.Accepted(
            batch.batch(),
            batch.firstIndex(),
            batch.sequences().size(),
            batch.weightsVersion(),
            digest.hex(),
            batch.digest(),
            task.clock().millis(),
            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked)));
    return batch;
  }

  /** A file of segments may be what it was after a while; what is wrong with a stream stays so. */
  private void tryAgain(Loader stream, StreamException refusal) throws InterruptedException {
    if (!Delivery.isDerived(run.spec())) {
      throw refusal;
    }
    long batch = stream.state().batch() + 1;
    journal.add(new Journal.Refused(batch, String.valueOf(refusal.getMessage())));
    TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
    stream.seekToBatch(batch);
  }

  private void report(FeedbackReporter feedback, GlobalBatch batch) {
    String metric = task.metric();
    if (metric.isEmpty()) {
      return;
    }
    long step = batch.batch();
    double[] sums = new double[run.spec().getDomains().size()];
    long[] counts = new long[sums.length];
    for (int i = 0; i < sums.length; i++) {
      counts[i] = TOKENS;
      sums[i] = TOKENS * 4 / (1 + SHARE_LEARNED * (i + 1) * step);
    }
    diary.reports(batch, metric, attempt + "-" + step);
    feedback.publish(Measurement.ofAll(run, step, attempt + "-" + step, metric, sums, counts));
  }
}
