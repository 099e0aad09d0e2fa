package io.sluice.jobs.simulation;

import static io.sluice.jobs.simulation.World.drain;

import io.sluice.schema.ControlRecord;
import java.util.Optional;
import java.util.Random;

/** What may happen next, and how likely it is. */
final class Events {
  private final World world;
  private final Random random;
  private final Person person;

  Events(World world) {
    this.world = world;
    this.person = new Person(world);
    this.random = world.random();
  }

  /** Lets one thing happen. */
  void next() {
    Parts at = world.parts().get(random.nextInt(world.parts().size()));
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> reweight(random.nextInt(4) == 0 ? world.zombie() : world.instance(), at);
      case 3, 4, 5 -> sequence(at.lane(random));
      case 6, 7, 8, 9 -> train(at);
      case 10 -> produce(at.run());
      default -> disturb(at);
    }
  }

  private void reweight(Instance instance, Parts at) {
    int what = random.nextInt(16);
    world.remember(instance.name() + " " + what);
    switch (what) {
      case 0, 1, 2, 3 -> repeat(4, instance::readControl);
      case 4, 5, 6 -> repeat(12, () -> instance.readReport(at.run()));
      case 7 -> instance.readCommand(at.run());
      case 8, 9 -> repeat(4, instance::readSupply);
      case 10, 11 -> instance.ring();
      case 12, 13, 14 -> instance.send(0);
      default -> instance.sendBadly(random);
    }
  }

  private void repeat(int most, World.Step step) {
    for (int left = 1 + random.nextInt(most); left > 0 && step.done(); left--) {
      world.count();
    }
  }

  private void sequence(Parts.Lane lane) {
    Writer writer = random.nextInt(5) == 0 ? lane.twin() : lane.writer();
    int what = random.nextInt(8);
    world.remember("writer of " + writer.run().id() + " " + what);
    switch (what) {
      case 0, 1 -> repeat(6, writer::readControl);
      case 2, 3, 4 -> writer.emit(1 + random.nextInt(20));
      default -> writer.write(random.nextInt(writer.run().spec().getStreamPartitions()), 10);
    }
  }

  private void train(Parts at) {
    int what = random.nextInt(10);
    world.remember("trainer of " + at.run().id() + " " + what);
    switch (what) {
      case 0, 1, 2, 3, 4 ->
          at.trainer().read(random.nextInt(at.run().spec().getStreamPartitions()), 12);
      case 5, 6, 7, 8 -> repeat(16, () -> at.trainer().send(random.nextInt(8) != 0));
      default -> at.trainer().checkpoint();
    }
  }

  private void produce(RunModel run) {
    world.commit(run, random.nextInt(run.scenario().sizes().length), 1 + random.nextInt(30));
    world.supplyLate();
  }

  private void disturb(Parts at) {
    Parts.Lane lane = at.lane(random);
    int what = random.nextInt(40);
    world.remember("fault " + what + " at " + at.run().id());
    world.suffer();
    switch (what) {
      case 0, 1, 2 -> world.instance().checkpoint();
      case 3 -> world.instance().crash();
      case 4 -> world.zombie().takeOver(world.instance());
      case 5 -> world.zombie().checkpoint();
      case 6, 7, 8 -> lane.writer().checkpoint();
      case 9 -> lane.writer().crash();
      case 10 -> lane.twin().takeOver(lane.writer());
      case 11, 12 -> lane.writer().stall(random);
      case 13 -> lane.twin().stall(random);
      case 14, 15 -> at.trainer().crash();
      case 16, 17 -> again();
      case 18 -> world.ask(at.run(), "paused");
      case 19, 20 -> world.ask(at.run(), "running");
      case 21 -> askAgain(at.run());
      case 22 -> world.pass(1_000 + random.nextInt(5_000));
      case 23, 24, 25, 26 -> wake(world.zombie());
      case 27, 28 -> cut(random.nextInt(4) == 0 ? world.zombie() : world.instance());
      case 29 -> corrupt();
      case 30 -> at.run().reportUnreadable();
      case 31 -> at.trainer().follow();
      case 32, 33 -> person.ask(at);
      case 34 -> lane.writer().forget();
      case 35 -> lane.twin().forget();
      case 36 -> at.lanes().forEach(each -> each.writer().forget());
      case 37 -> world.instance().beginAnew();
      default -> end(at.run());
    }
  }

  private void cut(Instance instance) {
    instance.ring();
    instance.cut();
  }

  private void end(RunModel run) {
    if (random.nextInt(20) == 0) {
      world.ask(run, random.nextInt(3) == 0 ? "deleted" : "stopped");
    }
  }

  private void askAgain(RunModel run) {
    run.commands().add(run.commands().get(random.nextInt(run.commands().size())));
  }

  /** What was stopped goes on: it reads all that it has missed, and says what it makes of it. */
  private void wake(Instance stopped) {
    world.readAll(stopped);
    world.pass(random.nextInt(600));
    stopped.ring();
    drain(() -> stopped.send(0));
  }

  private void again() {
    Optional<ControlRecord> record = world.log().any(random);
    record.ifPresent(world::append);
  }

  private void corrupt() {
    world.log().any(random).ifPresent(record -> world.log().appendCorrupt(record, random));
  }
}
