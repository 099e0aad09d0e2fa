package io.sluice.jobs.simulation;

import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.Supply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The whole control loop in one thread: every event is drawn by lot, and after each the logs are
 * checked. Equal seeds give equal histories.
 */
final class World {
  private static final int REMEMBERED = 40;
  private static final int PATIENCE = 400;

  private final Random random;
  private final Witness witness;
  private final Conduct conduct;
  private final int snapshotEvery;
  private final ControlLog log = new ControlLog();
  private final List<Supply> supply = new ArrayList<>();
  private final List<Supply> lateSupply = new ArrayList<>();
  private final List<Parts> parts = new ArrayList<>();
  private final Instance instance;
  private final List<Instance> zombies;
  private final ArrayDeque<String> history = new ArrayDeque<>();
  private long now = 1_000;
  private long events;
  private int commands;

  World(long seed, Conduct conduct, Witness witness) {
    this.witness = witness;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.conduct = conduct;
    this.snapshotEvery = 2 + random.nextInt(12);
    this.instance = new Instance(this, "instance", false);
    this.zombies =
        List.of(new Instance(this, "zombie", false), new Instance(this, "pipelining", true));
    int count = 1 + random.nextInt(2) + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      RunModel run = new RunModel(Scenario.draw(i, random), witness);
      parts.add(Parts.of(this, run));
      apply(run, 0, null);
    }
  }

  Conduct conduct() {
    return conduct;
  }

  /** Entries from one snapshot of a log to the next. */
  int snapshotEvery() {
    return snapshotEvery;
  }

  Random random() {
    return random;
  }

  ControlLog log() {
    return log;
  }

  List<Supply> supply() {
    return supply;
  }

  List<Parts> parts() {
    return parts;
  }

  /** The instance of the Reweighter that is meant to be. */
  Instance instance() {
    return instance;
  }

  /** One that is not. */
  Instance zombie() {
    return zombies.get(random.nextInt(zombies.size()));
  }

  /** Something has gone wrong. */
  void suffer() {
    witness.saw("fault");
  }

  long now() {
    return now;
  }

  void pass(long millis) {
    now += millis;
  }

  RunModel run(String runId) {
    return parts.stream()
        .map(Parts::run)
        .filter(run -> run.id().equals(runId))
        .findFirst()
        .orElseThrow();
  }

  /** Appends to the control log. */
  ControlLog.Logged append(ControlRecord record) {
    ControlLog.Logged logged = log.append(record, random);
    if (log.isOfAnEarlierRelease(logged)) {
      witness.saw("control record of an earlier release");
    }
    run(record.getRunId()).control().append(logged);
    return logged;
  }

  /** Commits some blocks of a domain; their supply becomes known later, in any order. */
  void commit(RunModel run, int domain, int most) {
    lateSupply.addAll(run.corpus().commit(domain, most, random));
  }

  /** Makes some late supply known, some of it twice. */
  void supplyLate() {
    for (int left = random.nextInt(4); left > 0 && !lateSupply.isEmpty(); left--) {
      supply.add(lateSupply.remove(random.nextInt(lateSupply.size())));
    }
    if (random.nextInt(8) == 0 && !supply.isEmpty()) {
      supply.add(supply.get(random.nextInt(supply.size())));
    }
  }

  /** Starts a run with the state of another. */
  void fork(RunModel parent, Scenario scenario, RunOrigin origin) {
    RunModel run =
        new RunModel(scenario, parent.corpus(), ExpectedProgress.of(scenario, origin), witness);
    parts.add(Parts.of(this, run));
    apply(run, now, origin);
    witness.saw("run forked");
  }

  private static void apply(RunModel run, long now, @Nullable RunOrigin origin) {
    boolean digests = run.id().hashCode() % 2 == 0;
    ApplyRun apply = new ApplyRun(run.spec(), "topic of " + run.id(), origin, true, digests);
    run.commands().add(new RunCommand("apply", run.id(), now, apply));
  }

  /** Asks for another phase of a run. */
  void ask(RunModel run, String state) {
    run.commands()
        .add(new RunCommand(nextCommand(), run.id(), now, new ChangeRunState(state, "asked")));
  }

  /** Name of a new command. */
  String nextCommand() {
    return "command " + commands++;
  }

  /** Events that have happened. */
  long events() {
    return events;
  }

  void count() {
    events++;
  }

  /** Lets faults happen for a while, then none, and expects every run to come to its end. */
  void live(int troubled) {
    Events chance = new Events(this);
    for (int i = 0; i < troubled; i++) {
      events++;
      now += random.nextInt(30);
      chance.next();
      checkControllers();
    }
    remember("faults end");
    for (Parts each : parts) {
      boolean ended = each.run().control().ended();
      witness.saw(ended ? "run ended under faults" : "run ended after faults");
    }
    instance.crash();
    parts.forEach(each -> each.trainer().lose());
    parts.forEach(each -> each.lanes().forEach(lane -> lane.writer().crash()));
    for (int round = 0; !parts.stream().allMatch(Parts::areDone); round++) {
      if (round == PATIENCE) {
        throw new Violation("deadlock:\n" + waits());
      }
      calm();
    }
    readAll(instance);
    now += 1_000;
    instance.ring();
    for (Parts each : parts) {
      each.run().compareWithUndisturbed();
      each.run().attached().check(instance.trainers(each.run()));
    }
  }

  /** Everybody does all that there is to do, once. */
  private void calm() {
    events++;
    now += 400;
    for (Parts each : parts) {
      RunModel run = each.run();
      for (int domain = 0; domain < run.scenario().sizes().length; domain++) {
        commit(run, domain, 100);
      }
      if (run.control().phase().equals("paused")) {
        ask(run, "running");
      }
    }
    supply.addAll(lateSupply);
    lateSupply.clear();
    readAll(instance);
    instance.ring();
    drain(() -> instance.send(0));
    drain(instance::cut);
    for (Parts each : parts) {
      each.lanes().forEach(lane -> calm(lane.writer()));
      calm(each.trainer(), each.run().spec().getStreamPartitions());
    }
    checkControllers();
  }

  /** An instance reads all that there is. */
  void readAll(Instance at) {
    for (Parts each : parts) {
      drain(() -> at.readCommand(each.run()));
      drain(() -> at.readReport(each.run()));
    }
    drain(at::readSupply);
    drain(at::readControl);
  }

  private static void calm(Writer writer) {
    drain(writer::readControl);
    drain(
        () -> {
          int emitted = writer.emit(100);
          writer.flush();
          return emitted > 0;
        });
  }

  private static void calm(Trainer trainer, int partitions) {
    trainer.follow();
    for (int p = 0; p < partitions; p++) {
      trainer.read(p, Integer.MAX_VALUE);
    }
    trainer.repeat();
    drain(() -> trainer.send(true));
  }

  /** Something that says whether there is more of it. */
  interface Step {
    boolean done();
  }

  static void drain(Step step) {
    while (step.done()) {
      // Goes on.
    }
  }

  private void checkControllers() {
    for (Parts each : parts) {
      if (instance.hasFailed(each.run())) {
        throw new Violation(
            each.run().id() + ": the controller says " + instance.waits(each.run()));
      }
    }
  }

  /** What every part waits for, for people. */
  private String waits() {
    StringBuilder all = new StringBuilder();
    parts.stream()
        .filter(each -> !each.areDone())
        .forEach(each -> all.append(each.waits(instance)));
    return all.toString();
  }

  void remember(String event) {
    if (history.size() == REMEMBERED) {
      history.remove();
    }
    history.add(events + ": " + event);
  }

  /** The last events. */
  String history() {
    return String.join("\n", history);
  }
}
