package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.Violation.unless;

import io.sluice.client.block.Sequence;
import io.sluice.client.error.RewoundException;
import io.sluice.client.stream.GlobalBatch;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A run's trainers: one model, as many ranks as it is resumed with. */
final class Trainer {
  private static final int KEPT = 6;

  private final World world;
  private final RunModel run;
  private final Random random;
  private final List<Checkpoint> checkpoints = new ArrayList<>();
  private Readers readers;
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
    this.trained = new Trained(0, run.control().first(), null);
    this.readers = new Readers(world, run, 1, random);
    this.ranks = Ranks.unheard(run, random);
    checkpoints.add(new Checkpoint("", trained));
  }

  /** Whether it has begun, which it does once the run's start is in the log. */
  private boolean isOpen() {
    if (life == 0 && !run.control().accepted().isEmpty()) {
      resume(checkpoints.get(0));
    }
    return life > 0;
  }

  private void resume(Checkpoint from) {
    List<Integer> worldSizes = run.scenario().worldSizes();
    int worldSize = worldSizes.get(random.nextInt(worldSizes.size()));
    Readers next = new Readers(world, run, worldSize, random);
    next.resume(from.state(), from.trained().batch());
    life++;
    readers = next;
    trained = from.trained();
    ranks = Ranks.attached(run, random, readers.ranks(), "life" + life, trained);
    if (trained.batch() == 0) {
      evaluate();
    }
  }

  /** Reads up to {@code most} records of a partition and trains on what is complete. */
  boolean read(int partition, int most) {
    if (!isOpen()) {
      return false;
    }
    try {
      boolean any = readers.read(partition, most);
      for (List<GlobalBatch> next = readers.take(); !next.isEmpty(); next = readers.take()) {
        train(next);
      }
      return any;
    } catch (RewoundException e) {
      run.witness().saw("trainer rewound");
      goBack();
      return true;
    }
  }

  /** Asks the control log where the run is. */
  void follow() {
    if (!isOpen()) {
      return;
    }
    try {
      readers.follow();
    } catch (RewoundException e) {
      run.witness().saw("trainer told of a rewind");
      goBack();
    }
  }

  /** I4: every batch once, in order, after the batches that its timeline stands on. */
  private void train(List<GlobalBatch> rows) {
    GlobalBatch batch = rows.get(0);
    unless(
        batch.batch() == trained.batch() + 1
            && (trained.before() == null
                || run.control().lineage().owner(batch.timeline(), trained.batch())
                    == trained.timeline()),
        "%s: batch %d of timeline %d comes after %d of %d",
        run.id(),
        batch.batch(),
        batch.timeline(),
        trained.batch(),
        trained.timeline());
    List<Sequence> sequences = rows.stream().flatMap(each -> each.sequences().stream()).toList();
    run.received(batch.timeline(), batch.batch(), sequences);
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
    return run.goesOnWithoutFeedback() && random.nextInt(3) == 0;
  }

  private long oldest() {
    return checkpoints.stream().mapToLong(kept -> kept.trained().batch()).min().orElse(-1);
  }

  /** Batch of the oldest checkpoint that the run's lineage still has. */
  long firstRestorable() {
    return checkpoints.stream()
        .filter(this::isOwned)
        .mapToLong(kept -> kept.trained().batch())
        .min()
        .orElseThrow();
  }

  private boolean isOwned(Checkpoint kept) {
    Trained at = kept.trained();
    return at.before() == null || run.control().lineage().owner(at.batch()) == at.timeline();
  }

  /** Sends some rank's next message, or sends it without being told so; false if there is none. */
  boolean send(boolean acknowledged) {
    return ranks.send(acknowledged);
  }

  /** Keeps where it is, if all that it has to say is said; gives up some older checkpoints. */
  void checkpoint() {
    boolean mayKeep = ranks.haveSaidAll() || !world.conduct().awaitsAcknowledgement();
    if (!isOpen() || !mayKeep) {
      return;
    }
    checkpoints.add(new Checkpoint(readers.state(), trained));
    while (checkpoints.size() > 1
        && random.nextInt(KEPT) < checkpoints.size() - 1
        && isEnough(checkpoints.get(1))) {
      checkpoints.remove(0);
    }
  }

  /** Whether the run can go on from a checkpoint, also after a rewind that is asked for. */
  private boolean isEnough(Checkpoint oldest) {
    return isOwned(oldest) && run.commands().stream().allMatch(asked -> allows(asked, oldest));
  }

  private boolean allows(RunCommand command, Checkpoint oldest) {
    return !(command.getBody() instanceof RewindRun rewind)
        || run.control().hasAnswered(command.getCommandId())
        || oldest.trained().batch() <= rewind.getSnapshot().getBatch();
  }

  /**
   * Ends, and begins again from its last checkpoint or one made before; when the run has left that
   * one behind, from the next that it has not. What was made last need not lie furthest.
   */
  void crash() {
    if (!isOpen()) {
      return;
    }
    List<Checkpoint> left = new ArrayList<>(checkpoints);
    int last = left.size() - 1;
    int at = random.nextInt(3) == 0 ? random.nextInt(last + 1) : last;
    while (true) {
      try {
        resume(left.remove(at));
        return;
      } catch (RewoundException e) {
        unless(!left.isEmpty(), "%s: no checkpoint can be restored: %s", run.id(), e.getMessage());
        run.witness().saw("checkpoint of a dead branch refused");
        at = at > 0 ? at - 1 : left.size() - 1;
      }
    }
  }

  /** Begins again after a rewind, in the same processes. */
  private void goBack() {
    Ranks before = ranks;
    crash();
    ranks.remember(before);
  }

  /** Loses much of what its ranks have to say, for ever. */
  void lose() {
    ranks.lose();
  }

  /** Its ranks say again what they said last, for they wait. */
  void repeat() {
    if (world.conduct().repeats()) {
      ranks.repeat();
    }
  }

  /** Whether it has been trained on every granted batch of the current lineage. */
  boolean hasAll() {
    long granted = run.control().granted();
    return trained.batch() == granted
        && (trained.before() == null
            || run.control().lineage().owner(granted) == trained.timeline());
  }

  /** What it waits for, for people. */
  String waits() {
    return "batch " + trained.batch() + ", " + ranks + ", " + readers;
  }
}
