package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.RUN;
import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An instance and a zombie on one log, in one thread: sends get lost and repeated, instances crash
 * back to old checkpoints, feedback is re-sent and corrupt. Whatever happens, the grants are those
 * of an undisturbed run.
 */
class ControllerSimulationTest {
  private static final long ROUNDS = 6;

  /** Feedback and progress in the order of their partition, and the two that read it. */
  private static final class World {
    final Random random;
    final TestingLog log = new TestingLog();
    final List<SpecificRecordBase> partition = new ArrayList<>();
    final List<Reader> readers;
    long trained;
    private int seen;
    private long granted;

    World(long seed) {
      random = new Random(seed);
      readers = List.of(new Reader(this, "instance"), new Reader(this, "zombie"));
    }

    /** Trains one step if it is granted, and reports what an evaluation says. */
    void train() {
      if (log.size() != seen) {
        seen = log.size();
        List<MixtureGrant> grants = log.grants();
        granted = grants.isEmpty() ? 0 : grants.get(grants.size() - 1).getTo();
      }
      if (trained < granted) {
        if (trained == 0) {
          report(0);
        }
        trained++;
        if (trained % 10 == 0) {
          report(trained);
        }
        partition.add(progress(trained));
      }
    }

    private void report(long step) {
      double a = 4 - step * 0.02;
      if (random.nextBoolean()) {
        partition.add(feedback("died-" + step, step, 2, 0, 1, 9));
      }
      if (random.nextBoolean()) {
        partition.add(feedback("mad-" + step, step, 1, 0, Double.NaN, 3));
      }
      TrainerFeedback first = feedback("s" + step, step, 2, 1, a, 4);
      partition.add(first);
      if (random.nextBoolean()) {
        partition.add(feedback("s" + step, step, 2, 1, 9, 9));
      }
      partition.add(feedback("s" + step, step, 2, 0, a, 4));
      partition.add(first);
      partition.add(feedback("again-" + step, step, 1, 0, 9, 1));
    }
  }

  /** A controller with its place in the feedback partition and its last checkpoint. */
  private static final class Reader {
    final World world;
    final TestingController controller;
    int place;
    int keptPlace;
    TestingController.Checkpoint kept;

    Reader(World world, String writer) {
      this.world = world;
      controller = new TestingController(world.log, writer);
      kept = controller.checkpoint();
    }

    void read() {
      if (place < world.partition.size()) {
        SpecificRecordBase next = world.partition.get(place++);
        if (next instanceof TrainerFeedback feedback) {
          controller.feedback(feedback);
        } else {
          controller.progress((TrainerProgress) next);
        }
      }
    }

    void act(Random random) {
      switch (random.nextInt(20)) {
        case 0 -> {
          kept = controller.checkpoint();
          keptPlace = place;
        }
        case 1 -> {
          controller.restore(kept);
          place = keptPlace;
        }
        case 2, 3 -> controller.pass(random.nextInt(3_000));
        case 4, 5, 6 -> controller.sendBadly(random);
        case 7, 8, 9 -> controller.send();
        case 10, 11, 12, 13 -> controller.echoOne();
        default -> read();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void grantsDoNotDependOnWhatGoesWrong(long seed) {
    RunSpec spec = TestingRuns.spec().setLag(seed % 3).setBatches(ROUNDS * 10).build();
    World world = new World(seed);
    world.readers.forEach(reader -> reader.controller.command(apply(spec)));
    world.readers.forEach(reader -> reader.kept = reader.controller.checkpoint());
    for (int event = 0; event < 4_000; event++) {
      if (world.random.nextInt(4) == 0) {
        world.train();
      } else {
        world.readers.get(world.random.nextInt(2)).act(world.random);
      }
    }
    assertThat(world.log.grants())
        .as("grants of run %s, seed %d", RUN, seed)
        .isEqualTo(undisturbed(spec));
    assertThat(world.log.size()).isGreaterThan(world.log.grants().size() + 2);
    for (Reader reader : world.readers) {
      reader.controller.echoAll();
      assertThat(reader.controller.status().getPhase()).isEqualTo("completed");
      assertThat(reader.controller.status().getGranted()).isEqualTo(ROUNDS * 10);
    }
  }

  private static List<MixtureGrant> undisturbed(RunSpec spec) {
    TestingController controller = TestingController.started(spec);
    for (long step = 0; step < ROUNDS * 10; step += 10) {
      controller.feedback(feedback("s" + step, step, 1, 0, 4 - step * 0.02, 4));
      controller.settle();
    }
    return controller.log.grants();
  }
}
