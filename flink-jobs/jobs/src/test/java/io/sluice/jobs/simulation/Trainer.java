package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.client.GlobalBatch;
import io.sluice.client.RewoundException;
import io.sluice.client.Sequence;
import io.sluice.client.SimulatedReader;
import io.sluice.jobs.mix.stream.StreamRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A run's trainers: one model, one reader, as many ranks as it is resumed with. */
final class Trainer {
  private static final int KEPT = 6;

  private final World world;
  private final RunModel run;
  private final Random random;
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private final int[] places;
  private SimulatedReader reader;
  private Ranks ranks;
  private int life;
  private Trained trained;
  private long seen;

  /** What a model has been trained on, last batch first. */
  record Trained(int timeline, long batch, @Nullable Trained before) {}

  /** What a trainer keeps. */
  record Checkpoint(String state, Trained trained) {}

  Trainer(World world, RunModel run, Random random) {
    this.world = world;
    this.run = run;
    this.random = random;
    this.places = new int[run.spec().getStreamPartitions()];
    this.trained = new Trained(0, 0, null);
    Checkpoint start = new Checkpoint("", trained);
    checkpoints.add(start);
    this.ranks = new Ranks(run, random, 1, "");
    this.reader = resume(start);
  }

  private SimulatedReader resume(Checkpoint from) {
    life++;
    List<Integer> worldSizes = run.scenario().worldSizes();
    ranks =
        new Ranks(run, random, worldSizes.get(random.nextInt(worldSizes.size())), "life" + life);
    trained = from.trained();
    for (int p = 0; p < places.length; p++) {
      places[p] = run.stream(p).firstOf(trained.batch() + 1);
    }
    if (trained.batch() == 0) {
      evaluate();
    }
    return new SimulatedReader(run.id(), run.spec(), from.state());
  }

  /** Reads up to {@code most} records of a partition and trains on what is complete. */
  boolean read(int partition, int most) {
    int read = 0;
    // What it has not read may be gone, but nothing of that can be anything that it needs.
    places[partition] = Math.max(places[partition], run.stream(partition).begin());
    while (read < most && places[partition] < run.stream(partition).end()) {
      StreamRecord record = run.stream(partition).at(places[partition]++);
      read++;
      try {
        reader = world.conduct().read(run, reader, partition, record);
      } catch (RewoundException e) {
        run.witness().saw("trainer rewound");
        crash();
        return true;
      }
      for (Optional<GlobalBatch> next = reader.take(); next.isPresent(); next = reader.take()) {
        train(next.get());
      }
    }
    return read > 0;
  }

  /** I4: every batch once, in order, after the batches that its timeline stands on. */
  private void train(GlobalBatch batch) {
    unless(
        batch.batch() == trained.batch() + 1
            && run.control().lineage().owner(batch.timeline(), trained.batch())
                == trained.timeline(),
        "%s: batch %d of timeline %d comes after %d of %d",
        run.id(),
        batch.batch(),
        batch.timeline(),
        trained.batch(),
        trained.timeline());
    ControlTruth.Batch granted = run.control().batch(batch.timeline(), batch.batch());
    if (granted == null) {
      throw new Violation(run.id() + ": " + batch + " is trained on and not granted");
    }
    unless(batch.firstIndex() == granted.firstIndex(), "%s: %s is elsewhere", run.id(), granted);
    run.received(granted, batch.sequences().stream().map(Sequence::encodedBlock).toList());
    trained = new Trained(batch.timeline(), batch.batch(), trained);
    run.witness().saw(trained.batch() <= seen ? "batch trained again" : "batch trained");
    seen = Math.max(seen, trained.batch());
    report();
  }

  private void report() {
    long every = run.scenario().every();
    boolean due = trained.batch() % every == 0;
    boolean late = due && isTooSlow();
    if (due && !late) {
      evaluate();
    }
    if (trained.batch() % world.conduct().progressInterval(run.spec()) == 0) {
      ranks.progress(trained.timeline(), trained.batch(), oldest());
    }
    if (late && random.nextBoolean()) {
      evaluate();
    }
  }

  private void evaluate() {
    ranks.evaluate(trained.timeline(), trained.batch());
  }

  /** Whether an evaluation comes late or never, where the run goes on without. */
  private boolean isTooSlow() {
    return run.spec().getOnTimeout().equals("keep-weights") && random.nextInt(3) == 0;
  }

  private long oldest() {
    return checkpoints.stream().mapToLong(kept -> kept.trained().batch()).min().orElse(-1);
  }

  /** Sends some rank's next message, or sends it without being told so; false if there is none. */
  boolean send(boolean acknowledged) {
    return ranks.send(acknowledged);
  }

  /** Keeps where it is, if all that it has to say is said. */
  void checkpoint() {
    if (ranks.haveSaidAll() || !world.conduct().awaitsAcknowledgement()) {
      checkpoints.add(new Checkpoint(reader.state(), trained));
      while (checkpoints.size() > 1 && random.nextInt(KEPT) < checkpoints.size() - 1) {
        checkpoints.remove(0);
      }
    }
  }

  /** The stream's oldest batches are given up, as far as no checkpoint needs them. */
  void reclaim() {
    if (run.spec().getReclaim().equals("checkpoint")) {
      run.reclaim(world.conduct().reclaimBefore(oldest(), trained.batch()));
    }
  }

  /** Ends, and begins again from its last checkpoint or one before. */
  void crash() {
    int back = random.nextInt(3) == 0 ? random.nextInt(checkpoints.size()) : 0;
    reader = resume(checkpoints.get(checkpoints.size() - 1 - back));
  }

  /** Last batch that it has been trained on. */
  long trained() {
    return trained.batch();
  }

  /** What it waits for, for people. */
  String waits() {
    return "batch " + trained.batch() + ", " + ranks + ", " + reader.awaited();
  }
}
