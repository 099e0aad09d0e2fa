package io.sluice.jobs.simulation;

import io.sluice.control.controller.SimulatedController;
import io.sluice.control.controller.SimulatedSupply;
import io.sluice.mixture.decide.RunPolicy;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.policy.Policy;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.Supply;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * An instance of the Reweighter with the controllers of all runs, and its place in every partition.
 */
final class Instance {
  private final World world;
  private final String name;
  private final boolean pipelining;
  private final int snapshotEvery;
  private final Map<String, Long> begins = new HashMap<>();
  private int generation;
  private Checkpoint checkpoint =
      new Checkpoint(Map.of(), Map.of(), ControlLog.START, 0, List.of(), List.of());

  private SimulatedSupply supply = new SimulatedSupply(List.of());
  private SimulatedController.Owner owner;
  private final Map<String, SimulatedController> controllers = new HashMap<>();
  private final Map<String, Long> wakes = new HashMap<>();
  private final Map<String, Integer> places = new HashMap<>();
  private long controlRead = ControlLog.START;
  private int supplyRead;
  private final List<ControlRecord> outbox = new ArrayList<>();
  private final Map<String, ControlRecord> proposed = new HashMap<>();
  private final ArrayDeque<Cut> cuts = new ArrayDeque<>();

  /** A part of a run's stream that is to be deleted: what comes before a batch. */
  private record Cut(RunModel run, long before) {}

  /** What survives a crash; what was in flight is for a broken reading only. */
  private record Checkpoint(
      Map<String, Map<String, byte[]>> controllers,
      Map<String, Integer> places,
      long controlRead,
      int supplyRead,
      List<Supply> supply,
      List<ControlRecord> inFlight) {}

  /**
   * @param pipelining whether it believes that whatever it sends wins, as no instance may: what
   *     such a one would sum up, nobody could believe
   */
  Instance(World world, String name, boolean pipelining) {
    this.world = world;
    this.name = name;
    this.pipelining = pipelining;
    this.snapshotEvery = pipelining ? Integer.MAX_VALUE : world.snapshotEvery();
    this.owner = new SimulatedController.Owner(name, 0, supply, snapshotEvery);
  }

  boolean isPipelining() {
    return pipelining;
  }

  String name() {
    return name;
  }

  /** Reads the next record of the control log; false at its end. */
  boolean readControl() {
    Long next = world.log().next(controlRead);
    if (next == null) {
      return false;
    }
    controlRead = next;
    world.log().read(next).ifPresent(this::follow);
    return true;
  }

  private void follow(ControlLog.Logged logged) {
    ControlRecord record = world.conduct().follow(this, logged.record(), logged.offset());
    String runId = record.getRunId();
    if (logged.offset() < begins.getOrDefault(runId, ControlLog.START)) {
      return;
    }
    if (pipelining && isPast(runId, logged.offset())) {
      return; // It believes that it has come farther, and what it reads now to be old.
    }
    int timeline = fold(runId).map(fold -> fold.position().timeline()).orElse(0);
    done(runId, controller(runId).follow(record, logged.offset(), logged.value(), world.now()));
    boolean rewound = fold(runId).map(fold -> fold.position().timeline()).orElse(0) > timeline;
    if (rewound && world.conduct().forgetsReportsAtRewind()) {
      controllers.put(
          runId,
          new SimulatedController(
              runId, owner, controller(runId).keptWithoutReports(), world.now()));
    }
  }

  private boolean isPast(String runId, long offset) {
    return fold(runId).map(fold -> offset <= fold.position().offset()).orElse(false);
  }

  /** Reads the next command of a run; false at the end. */
  boolean readCommand(RunModel run) {
    int place = places.getOrDefault("command " + run.id(), 0);
    if (place == run.commands().size()) {
      return false;
    }
    places.put("command " + run.id(), place + 1);
    RunCommand command = world.conduct().command(this, run.commands().get(place));
    done(run.id(), controller(run.id()).hear(command, world.now()));
    return true;
  }

  /** Reads the next message of a run's trainers; false at the end. */
  boolean readReport(RunModel run) {
    int place = places.getOrDefault("report " + run.id(), 0);
    if (place == run.reports().size()) {
      return false;
    }
    places.put("report " + run.id(), place + 1);
    SpecificRecordBase message = run.reports().get(place).read();
    if (message == null) {
      done(run.id(), controller(run.id()).unreadable(world.now()));
    } else if (message instanceof TrainerFeedback feedback) {
      for (TrainerFeedback heard : world.conduct().report(this, feedback)) {
        done(run.id(), controller(run.id()).hear(heard, world.now()));
      }
    } else if (message instanceof TrainerProgress progress) {
      TrainerProgress heard = world.conduct().progress(this, progress);
      done(run.id(), controller(run.id()).hear(heard, world.now()));
    } else {
      done(run.id(), controller(run.id()).hear(message, world.now()));
    }
    return true;
  }

  /** Reads the next bound of supply; false at the end. */
  boolean readSupply() {
    if (supplyRead == world.supply().size()) {
      return false;
    }
    supply.hear(world.conduct().supply(world.supply().get(supplyRead++)));
    for (Map.Entry<String, SimulatedController> controller : List.copyOf(controllers.entrySet())) {
      done(controller.getKey(), controller.getValue().supplied(world.now()));
    }
    return true;
  }

  /** Rings at every controller that wanted it by now. */
  void ring() {
    for (Map.Entry<String, SimulatedController> controller : List.copyOf(controllers.entrySet())) {
      long due = wakes.getOrDefault(controller.getKey(), Long.MAX_VALUE);
      done(controller.getKey(), controller.getValue().ring(due, world.now()));
    }
  }

  private SimulatedController controller(String runId) {
    return controllers.computeIfAbsent(
        runId, id -> new SimulatedController(id, owner, Map.of(), world.now()));
  }

  private void done(String runId, List<ControlRecord> proposals) {
    wakes.put(runId, controller(runId).wakeAt(world.now()));
    controller(runId).takeCuts().forEach(before -> cuts.add(new Cut(world.run(runId), before)));
    proposals.forEach(record -> proposed.put(runId, record));
    outbox.addAll(world.conduct().propose(this, proposals));
  }

  /** Appends one of the proposals that wait to be sent; false if there are none. */
  boolean send(int which) {
    if (outbox.isEmpty()) {
      return false;
    }
    ControlRecord sent = outbox.remove(which % outbox.size());
    ControlLog.Logged logged = world.append(sent);
    if (world.conduct().trustsOwnProposals(this)) {
      follow(logged);
    }
    return true;
  }

  /** Deletes a part of a stream that a controller wanted to be deleted, some while ago perhaps. */
  boolean cut() {
    Cut next = cuts.poll();
    if (next == null) {
      return false;
    }
    next.run().reclaim(world.conduct().cut(next.run(), next.before()));
    return true;
  }

  /** The sends of a writer in trouble: lost, done, or done twice. */
  void sendBadly(Random random) {
    if (!outbox.isEmpty()) {
      ControlRecord sent = outbox.remove(random.nextInt(outbox.size()));
      for (int times = random.nextInt(3); times > 0; times--) {
        world.append(sent);
      }
    }
  }

  void checkpoint() {
    Map<String, Map<String, byte[]>> kept = new HashMap<>();
    controllers.forEach((runId, controller) -> kept.put(runId, controller.kept()));
    checkpoint =
        new Checkpoint(
            kept, Map.copyOf(places), controlRead, supplyRead, supply.kept(), inFlight());
  }

  private List<ControlRecord> inFlight() {
    return proposed.values().stream().filter(this::isUnread).toList();
  }

  private boolean isUnread(ControlRecord record) {
    return fold(record.getRunId())
        .map(state -> state.position().serial() < record.getSerial())
        .orElse(true);
  }

  /** Loses what is not in its checkpoint, and goes on from that. */
  void crash() {
    outbox.clear();
    cuts.clear();
    proposed.clear();
    controllers.clear();
    wakes.clear();
    places.clear();
    places.putAll(checkpoint.places());
    controlRead = checkpoint.controlRead();
    supplyRead = checkpoint.supplyRead();
    supply = new SimulatedSupply(checkpoint.supply());
    generation++;
    owner = new SimulatedController.Owner(name + generation, world.now(), supply, snapshotEvery);
    checkpoint
        .controllers()
        .forEach(
            (runId, kept) -> {
              controllers.put(runId, new SimulatedController(runId, owner, kept, world.now()));
              wakes.put(runId, world.now());
            });
    world.conduct().restored(this, checkpoint.inFlight());
  }

  /** Begins again without any state: with the newest snapshot of each log, if there is one. */
  void beginAnew() {
    checkpoint = new Checkpoint(Map.of(), Map.of(), ControlLog.START, 0, List.of(), List.of());
    crash();
    begins.clear();
    for (Parts each : world.parts()) {
      String runId = each.run().id();
      world
          .conduct()
          .beginning(world.log(), runId)
          .ifPresent(
              snapshot -> {
                begins.put(runId, snapshot.offset());
                each.run().witness().saw("job without state begun at a snapshot");
              });
    }
  }

  /** Goes on from another instance's checkpoint, as a job does that was started twice. */
  void takeOver(Instance other) {
    checkpoint = other.checkpoint;
    begins.clear();
    begins.putAll(other.begins);
    crash();
  }

  /** What its controller of a run has read of the log; empty before the run's start. */
  Optional<RunState> fold(String runId) {
    return controller(runId).fold();
  }

  /** The attempt that truly won a step, under the timeline that owns it. */
  String winner(String runId, long step) {
    RunModel run = world.run(runId);
    Policy policy = RunPolicy.make(run.control().now().settings());
    int owner = run.control().lineage().owner(step);
    return run.feedback().winner(owner, step, policy.metrics()).orElse("");
  }

  /** What its controller of a run waits for, for people. */
  String waits(RunModel run) {
    SimulatedController controller = controllers.get(run.id());
    return controller == null ? "no controller" : String.valueOf(controller.status());
  }

  /** Who its controller of a run says trains it. */
  List<String> trainers(RunModel run) {
    SimulatedController controller = controllers.get(run.id());
    return controller == null || controller.status() == null
        ? List.of()
        : controller.status().getTrainers();
  }

  /** Whether its controller of a run says that the run has failed. */
  boolean hasFailed(RunModel run) {
    SimulatedController controller = controllers.get(run.id());
    return controller != null
        && controller.status() != null
        && controller.status().getPhase().equals("failed");
  }
}
