package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.client.GlobalBatch;
import io.sluice.client.Sequence;
import io.sluice.client.SimulatedReader;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.specific.SpecificRecordBase;

/** A run's trainers: one model, one reader, as many ranks as it is resumed with. */
final class Trainer {
  private static final int MAX_WORLD = 4;

  private final World world;
  private final RunModel run;
  private final Random random;
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final ArrayDeque<SpecificRecordBase> outbox = new ArrayDeque<>();
  private final int[] places;
  private SimulatedReader reader;
  private int worldSize;
  private int life;
  private long trained;
  private long seen;

  private record Checkpoint(String state, long batch) {}

  Trainer(World world, RunModel run, Random random) {
    this.world = world;
    this.run = run;
    this.random = random;
    this.places = new int[run.spec().getStreamPartitions()];
    checkpoints.add(new Checkpoint("", 0));
    this.reader = resume(checkpoints.get(0));
  }

  private SimulatedReader resume(Checkpoint from) {
    life++;
    outbox.clear();
    worldSize = 1 + random.nextInt(MAX_WORLD);
    trained = from.batch();
    for (int p = 0; p < places.length; p++) {
      places[p] = firstOf(p, trained + 1);
    }
    if (trained == 0) {
      evaluate(0);
    }
    return new SimulatedReader(run.id(), run.spec(), from.state());
  }

  /** Place of the first record of a partition that is of a batch or a later one. */
  private int firstOf(int partition, long batch) {
    List<StreamRecord> records = run.stream(partition);
    for (int place = 0; place < records.size(); place++) {
      if (records.get(place).timestamp() >= batch) {
        return place;
      }
    }
    return records.size();
  }

  /** Reads up to {@code most} records of a partition and trains on what is complete. */
  int read(int partition, int most) {
    List<StreamRecord> records = run.stream(partition);
    int read = 0;
    while (read < most && places[partition] < records.size()) {
      StreamRecord record = records.get(places[partition]++);
      reader = world.conduct().read(run, reader, partition, record);
      read++;
      for (Optional<GlobalBatch> next = reader.take(); next.isPresent(); next = reader.take()) {
        train(next.get());
      }
    }
    return read;
  }

  /** I4: every batch once, in order. */
  private void train(GlobalBatch batch) {
    unless(
        batch.batch() == trained + 1,
        "%s: batch %d comes after batch %d",
        run.id(),
        batch.batch(),
        trained);
    long first = run.control().batch(batch.batch()).firstIndex();
    unless(batch.firstIndex() == first, "%s: batch %d is elsewhere", run.id(), batch.batch());
    run.received(batch.batch(), batch.sequences().stream().map(Sequence::encodedBlock).toList());
    trained = batch.batch();
    seen = Math.max(seen, trained);
    run.witness().saw(trained < seen ? "batch trained again" : "batch trained");
    long every = run.spec().getUpdateEvery();
    boolean due = every > 0 && trained % every == 0;
    boolean late = due && isTooSlow();
    if (due && !late) {
      evaluate(trained);
    }
    if (trained % world.conduct().progressInterval(run.spec()) == 0) {
      progress(trained);
    }
    if (late && random.nextBoolean()) {
      evaluate(trained);
    }
  }

  /** Whether an evaluation comes late or never, where the run goes on without. */
  private boolean isTooSlow() {
    return run.spec().getOnTimeout().equals("keep-weights") && random.nextInt(3) == 0;
  }

  private void evaluate(long step) {
    if (run.spec().getUpdateEvery() == 0) {
      return;
    }
    String attempt = "life" + life + "-step" + step;
    List<TrainerFeedback> reports = new ArrayList<>();
    for (int rank = 0; rank < worldSize; rank++) {
      TrainerFeedback report = report(attempt, step, rank, 4 - step * 0.02);
      reports.add(report);
      if (random.nextInt(4) == 0) {
        reports.add(report(attempt, step, rank, 9));
      }
      if (random.nextInt(6) == 0) {
        reports.add(spoil(report(attempt + "-bad", step, rank, 3)));
      }
    }
    if (random.nextInt(4) == 0) {
      Collections.shuffle(reports, random);
    }
    if (random.nextInt(4) == 0) {
      reports.addAll(reports.subList(0, random.nextInt(reports.size() + 1)));
    }
    outbox.addAll(List.copyOf(reports));
  }

  private TrainerFeedback report(String attempt, long step, int rank, double loss) {
    List<DomainMeasure> entries = new ArrayList<>();
    for (String domain : run.spec().getDomains()) {
      long count = random.nextInt(5) == 0 ? 0 : 100;
      double mean = loss * (0.5 + random.nextDouble());
      entries.add(new DomainMeasure(domain, mean * count, count));
    }
    return TrainerFeedback.newBuilder()
        .setRunId(run.id())
        .setTimeline(0)
        .setStep(step)
        .setTrainerStep(step)
        .setAttempt(attempt)
        .setWorldSize(worldSize)
        .setRank(rank)
        .setMetric("eval_loss")
        .setEntries(entries)
        .setTimeMillis(0)
        .build();
  }

  private TrainerFeedback spoil(TrainerFeedback report) {
    DomainMeasure first = report.getEntries().get(0);
    switch (random.nextInt(5)) {
      case 0 -> first.setSum(Double.NaN);
      case 1 -> first.setDomain("unheard-of");
      case 2 -> report.setTimeline(1);
      case 3 -> first.setCount(-1L);
      default -> report.setMetric("mood");
    }
    return report;
  }

  private void progress(long batch) {
    outbox.add(progressOf(batch, 0));
    if (random.nextInt(20) == 0) {
      outbox.add(progressOf(batch + random.nextInt(30), 1));
    }
  }

  private TrainerProgress progressOf(long batch, int timeline) {
    return TrainerProgress.newBuilder()
        .setRunId(run.id())
        .setTimeline(timeline)
        .setBatch(batch)
        .setTrainerStep(batch)
        .setWorldSize(worldSize)
        .setRank(0)
        .setTimeMillis(0)
        .build();
  }

  /** Sends the next message, or sends it without being told so; false if there is none. */
  boolean send(boolean acknowledged) {
    if (outbox.isEmpty()) {
      return false;
    }
    run.report(outbox.element());
    if (acknowledged) {
      outbox.remove();
    }
    return true;
  }

  /** Keeps where it is, if all that it has to say is said. */
  void checkpoint() {
    if (outbox.isEmpty() || !world.conduct().awaitsAcknowledgement()) {
      checkpoints.add(new Checkpoint(reader.state(), trained));
    }
  }

  /** Ends, and begins again from its last checkpoint or one before. */
  void crash() {
    int back = random.nextInt(3) == 0 ? random.nextInt(checkpoints.size()) : 0;
    reader = resume(checkpoints.get(checkpoints.size() - 1 - back));
  }

  /** Last batch that it has been trained on. */
  long trained() {
    return trained;
  }

  /** What it waits for, for people. */
  String waits() {
    return "batch " + trained + ", " + outbox.size() + " messages to send, " + reader.awaited();
  }
}
