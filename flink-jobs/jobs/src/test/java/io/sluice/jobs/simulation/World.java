package io.sluice.jobs.simulation;

import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Supply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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
  private final ControlLog log = new ControlLog();
  private final List<Supply> supply = new ArrayList<>();
  private final List<RunModel> runs = new ArrayList<>();
  private final List<Trainer> trainers = new ArrayList<>();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Writer> doubles = new ArrayList<>();
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
    this.instance = new Instance(this, "instance", false);
    this.zombies =
        List.of(new Instance(this, "zombie", false), new Instance(this, "pipelining", true));
    int count = 1 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      RunModel run = new RunModel(Scenario.draw(i, random), witness);
      runs.add(run);
      trainers.add(new Trainer(this, run, random));
      writers.add(new Writer(this, run));
      doubles.add(new Writer(this, run));
      run.commands().add(new RunCommand("apply", run.id(), 0L, new ApplyRun(run.spec(), "", null)));
    }
  }

  Conduct conduct() {
    return conduct;
  }

  ControlLog log() {
    return log;
  }

  List<Supply> supply() {
    return supply;
  }

  long now() {
    return now;
  }

  RunModel run(String runId) {
    return runs.stream().filter(run -> run.id().equals(runId)).findFirst().orElseThrow();
  }

  /** Appends to the control log. */
  ControlLog.Logged append(ControlRecord record) {
    ControlLog.Logged logged = log.append(record, random);
    run(record.getRunId()).control().append(logged);
    return logged;
  }

  /** Events that have happened. */
  long events() {
    return events;
  }

  /** Lets faults happen for a while, then none, and expects every run to come to its end. */
  void live(int troubled) {
    for (int i = 0; i < troubled; i++) {
      events++;
      now += random.nextInt(30);
      event();
      checkDesks();
    }
    remember("faults end");
    for (RunModel run : runs) {
      witness.saw(run.control().ended() ? "run ended under faults" : "run ended after faults");
    }
    instance.crash();
    writers.forEach(Writer::crash);
    for (int round = 0; !isOver(); round++) {
      if (round == PATIENCE) {
        throw new Violation("deadlock:\n" + waits());
      }
      calm();
    }
    runs.forEach(RunModel::compareWithUndisturbed);
  }

  private void event() {
    int which = random.nextInt(runs.size());
    RunModel run = runs.get(which);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> reweight(random.nextInt(4) == 0 ? zombie() : instance, run);
      case 3, 4, 5 -> deal(random.nextInt(5) == 0 ? doubles.get(which) : writers.get(which));
      case 6, 7, 8, 9 -> train(trainers.get(which));
      case 10 -> produce(run);
      default -> disturb(which);
    }
  }

  private Instance zombie() {
    return zombies.get(random.nextInt(zombies.size()));
  }

  private void reweight(Instance at, RunModel run) {
    int what = random.nextInt(16);
    remember(at.name() + " " + what);
    switch (what) {
      case 0, 1, 2, 3 -> repeat(4, at::readControl);
      case 4, 5, 6 -> repeat(6, () -> at.readReport(run));
      case 7 -> at.readCommand(run);
      case 8, 9 -> repeat(4, at::readSupply);
      case 10, 11 -> at.ring();
      case 12, 13, 14 -> at.send(0);
      default -> at.sendBadly(random);
    }
  }

  /** Something that says whether there is more of it. */
  private interface Step {
    boolean done();
  }

  private void repeat(int most, Step step) {
    for (int left = 1 + random.nextInt(most); left > 0 && step.done(); left--) {
      events++;
    }
  }

  private void deal(Writer writer) {
    int what = random.nextInt(8);
    remember("writer of " + writer.run().id() + " " + what);
    switch (what) {
      case 0, 1 -> repeat(6, writer::readControl);
      case 2, 3, 4 -> writer.emit(1 + random.nextInt(20));
      default -> writer.write(random.nextInt(writer.run().spec().getStreamPartitions()), 10);
    }
  }

  private void train(Trainer trainer) {
    int what = random.nextInt(10);
    remember("trainer " + what);
    switch (what) {
      case 0, 1, 2, 3, 4 -> trainer.read(random.nextInt(4) % partitions(trainer), 12);
      case 5, 6, 7, 8 -> repeat(6, () -> trainer.send(random.nextInt(8) != 0));
      default -> trainer.checkpoint();
    }
  }

  private int partitions(Trainer trainer) {
    return runs.get(trainers.indexOf(trainer)).spec().getStreamPartitions();
  }

  private void produce(RunModel run) {
    int domain = random.nextInt(run.spec().getDomains().size());
    supply.addAll(run.corpus().commit(domain, 1 + random.nextInt(30), random));
    if (random.nextInt(8) == 0 && !supply.isEmpty()) {
      supply.add(supply.get(random.nextInt(supply.size())));
    }
  }

  private void disturb(int which) {
    RunModel run = runs.get(which);
    int what = random.nextInt(28);
    remember("fault " + what + " at " + run.id());
    switch (what) {
      case 0, 1, 2 -> instance.checkpoint();
      case 3 -> instance.crash();
      case 4 -> zombie().takeOver(instance);
      case 5 -> zombie().checkpoint();
      case 6, 7, 8 -> writers.get(which).checkpoint();
      case 9 -> writers.get(which).crash();
      case 10 -> doubles.get(which).takeOver(writers.get(which));
      case 11, 12 -> writers.get(which).stall(random);
      case 13 -> doubles.get(which).stall(random);
      case 14, 15 -> trainers.get(which).crash();
      case 16, 17 -> again();
      case 18 -> command(run, "paused");
      case 19, 20 -> command(run, "running");
      case 21 -> run.commands().add(run.commands().get(random.nextInt(run.commands().size())));
      case 22 -> now += 1_000 + random.nextInt(5_000);
      case 23, 24, 25, 26 -> wake(zombie());
      default -> {
        if (random.nextInt(20) == 0) {
          command(run, random.nextInt(3) == 0 ? "deleted" : "stopped");
        }
      }
    }
  }

  /** What was stopped goes on: it reads all that it has missed, and says what it makes of it. */
  private void wake(Instance stopped) {
    for (RunModel run : runs) {
      drain(() -> stopped.readCommand(run));
      drain(() -> stopped.readReport(run));
    }
    drain(stopped::readSupply);
    drain(stopped::readControl);
    now += random.nextInt(600);
    stopped.ring();
    drain(() -> stopped.send(0));
  }

  private void again() {
    ControlRecord record = log.any(random);
    if (record != null) {
      append(record);
    }
  }

  private void command(RunModel run, String state) {
    String id = "command " + commands++;
    run.commands().add(new RunCommand(id, run.id(), now, new ChangeRunState(state, "asked")));
  }

  /** Everybody does all that there is to do, once. */
  private void calm() {
    events++;
    now += 400;
    for (RunModel run : runs) {
      for (int domain = 0; domain < run.spec().getDomains().size(); domain++) {
        supply.addAll(run.corpus().commit(domain, 100, random));
      }
      if (run.control().phase().equals("paused")) {
        command(run, "running");
      }
      drain(() -> instance.readCommand(run));
      drain(() -> instance.readReport(run));
    }
    drain(instance::readSupply);
    drain(instance::readControl);
    instance.ring();
    drain(() -> instance.send(0));
    for (int i = 0; i < runs.size(); i++) {
      Writer writer = writers.get(i);
      drain(writer::readControl);
      drain(() -> writer.emit(100) > 0);
      writer.flush();
      Trainer trainer = trainers.get(i);
      for (int p = 0; p < runs.get(i).spec().getStreamPartitions(); p++) {
        trainer.read(p, Integer.MAX_VALUE);
      }
      drain(() -> trainer.send(true));
    }
    checkDesks();
  }

  private static void drain(Step step) {
    while (step.done()) {
      // Goes on.
    }
  }

  private void checkDesks() {
    for (RunModel run : runs) {
      if (instance.hasFailed(run)) {
        throw new Violation(run.id() + ": the desk says " + instance.waits(run));
      }
    }
  }

  private boolean isOver() {
    for (int i = 0; i < runs.size(); i++) {
      ControlTruth control = runs.get(i).control();
      boolean trained = trainers.get(i).trained() == control.granted();
      if (!control.ended() || !(trained || control.phase().equals("deleted"))) {
        return false;
      }
    }
    return true;
  }

  /** What every part waits for, for people. */
  private String waits() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < runs.size(); i++) {
      RunModel run = runs.get(i);
      all.append(
          String.format(
              "%s: %s, %d batches granted%n  desk: %s%n  split: %s%n  trainer: %s%n",
              run.id(),
              run.control().phase(),
              run.control().granted(),
              instance.waits(run),
              writers.get(i).waits(),
              trainers.get(i).waits()));
    }
    return all.toString();
  }

  private void remember(String event) {
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
