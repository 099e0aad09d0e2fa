package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.wire.Snapshots;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * State that an earlier version has written must be read by this one. Each {@code
 * controller-v<n>.txt} holds every part of a controller in the middle of a run, a line each, and
 * {@code rewound-v<n>.txt} those of one whose run was rewound.
 *
 * <p>After a format has changed, add the next version; never change that of a release:
 *
 * <pre>mvn -pl flink-jobs/control test -Dtest=ControllerFormatTest -Dsluice.samples=v8</pre>
 */
class ControllerFormatTest {
  private static final Path FILES = Path.of("src/test/resources/io/sluice/control/controller");
  private static final String CURRENT = "v15";

  /** A controller that keeps something in each of its parts: it waits for rank 1 at step 20. */
  private static TestingController inTheMiddle() {
    TestingController controller = TestingController.started(spec().setLag(2).build());
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.settle();
    controller.progress(progress(21));
    controller.progress(progress(30));
    controller.feedback(feedback("s20", 20, 2, 0, 2.5, 4));
    controller.feedback(feedback("s20", 20, 2, 0, 2.5, 4));
    controller.feedback(feedback(40, 2, 2));
    controller.command(change("c1", "paused"));
    controller.proposed.clear();
    return controller;
  }

  /**
   * A controller of a run that was rewound and that a trainer holds: it has proposed what step 20
   * comes to, and has heard of timeline 2 before its log has it.
   */
  private static TestingController rewound() {
    RunSpec spec = spec().setLag(2).build();
    TestingController controller = TestingController.started(spec);
    controller.feedback(feedback(0, 4, 4));
    controller.feedback(feedback(10, 3, 4));
    controller.settle();
    controller.attached(attached());
    var snapshot = Snapshots.write(controller.log.past().rewound(14, 14).snapshot());
    var rewind = new RewindRun(0, spec, snapshot, 14L, "loss spike");
    controller.command(new RunCommand("r1", TestingRuns.RUN, 0L, rewind));
    controller.settle();
    controller.progress(TrainerProgress.newBuilder(progress(20)).setTimeline(1).build());
    controller.progress(TrainerProgress.newBuilder(progress(18)).setTimeline(2).build());
    controller.feedback(TrainerFeedback.newBuilder(feedback(20, 2.5, 4)).setTimeline(1).build());
    controller.proposed.clear();
    return controller;
  }

  /** A controller of a run with a log of its own that has snapshots. */
  private static TestingController withSnapshots(boolean digests) {
    TestingController controller = new TestingController(new TestingLog(), "w", 4);
    controller.command(TestingRuns.applyOwn(spec().setLag(2).build(), digests));
    controller.settle();
    controller.feedback(feedback(0, 4, 4));
    goOn(controller, 10, 50);
    return controller;
  }

  private static void goOn(TestingController controller, long from, long to) {
    for (long step = from; step <= to; step += 10) {
      controller.progress(progress(step));
      controller.feedback(feedback(step, 4 - 0.01 * step, 4));
      controller.settle();
    }
  }

  private static TrainerAttached attached() {
    return TrainerAttached.newBuilder()
        .setRunId(TestingRuns.RUN)
        .setTimeline(0)
        .setBatch(3)
        .setWorldSize(1)
        .setRank(0)
        .setReplica(0)
        .setHolder("h1")
        .setHost("host")
        .setPid(4)
        .setMetrics(List.of("eval_loss"))
        .setTimeMillis(0)
        .build();
  }

  private static Map<String, String> lines(TestingRunStore store) {
    Map<String, String> lines = new TreeMap<>();
    store.load().forEach((part, bytes) -> lines.put(part, HexFormat.of().formatHex(bytes)));
    return lines;
  }

  private static Map<String, String> committed(String sample) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (String line : Files.readAllLines(FILES.resolve(sample + ".txt"))) {
      String[] sides = line.split("=", 2);
      lines.put(sides[0], sides[1]);
    }
    return lines;
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheCurrentFormat() throws IOException {
    String version = System.getProperty("sluice.samples");
    Files.createDirectories(FILES);
    write(inTheMiddle(), FILES.resolve("controller-" + version + ".txt"));
    write(rewound(), FILES.resolve("rewound-" + version + ".txt"));
    write(withSnapshots(false), FILES.resolve("own-" + version + ".txt"));
    write(withSnapshots(true), FILES.resolve("digests-" + version + ".txt"));
  }

  private static void write(TestingController controller, Path file) throws IOException {
    List<String> lines =
        lines(controller.store).entrySet().stream()
            .map(part -> part.getKey() + "=" + part.getValue())
            .toList();
    Files.write(file, lines);
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void theCurrentFormatIsCommitted() throws IOException {
    assertThat(lines(inTheMiddle().store))
        .as("a format has changed: add the next version")
        .isEqualTo(committed("controller-" + CURRENT))
        .containsOnlyKeys(
            "checkpoint/1/0", "command/0", "fold", "held/0", "notes", "report/20/0", "started");
    assertThat(lines(rewound().store))
        .as("a format has changed: add the next version")
        .isEqualTo(committed("rewound-" + CURRENT))
        .containsOnlyKeys(
            "checkpoint/1/0", "early/0", "fold", "holder/0/0", "notes", "report/20/1", "started");
    for (boolean digests : new boolean[] {false, true}) {
      assertThat(lines(withSnapshots(digests).store))
          .as("a format has changed: add the next version")
          .isEqualTo(committed((digests ? "digests-" : "own-") + CURRENT))
          .containsOnlyKeys("checkpoint/1/0", "fold", "notes", "outline", "own-log", "started");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
        "v15"
      })
  void goesOnFromTheBytesOfEveryVersion(String version) throws IOException {
    TestingController straight = inTheMiddle();
    TestingController restored = restored(inTheMiddle(), "controller-" + version);
    for (TestingController controller : List.of(straight, restored)) {
      controller.pass(10_000);
      controller.settle();
      controller.command(change("c2", "running"));
      controller.feedback(feedback("s20", 20, 2, 1, 2.5, 4));
      controller.settle();
      controller.feedback(feedback(30, 2, 3));
      controller.settle();
    }
    assertThat(restored.log.grants()).hasSize(5).isEqualTo(straight.log.grants());
    RunStatus status = restored.status();
    assertThat(status.getGranted()).isEqualTo(52);
    assertThat(status.getProgress()).isEqualTo(30);
    assertThat(status.getRefusedFeedback()).isZero();
    assertThat(status.getLastRefusal()).isEmpty();
    assertThat(status.getRepeatedFeedback()).isEqualTo(1);
    assertThat(status.getLastRepeated())
        .isEqualTo("step 20, rank 0 of 2: this rank of the attempt has reported already");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14",
        "v15"
      })
  void goesOnWithARewoundRunFromTheBytesOfEveryVersion(String version) throws IOException {
    TestingController straight = rewound();
    TestingController restored = restored(rewound(), "rewound-" + version);
    for (TestingController controller : List.of(straight, restored)) {
      controller.pass(10_000);
      controller.settle();
    }
    assertThat(restored.log.grants()).hasSize(4).isEqualTo(straight.log.grants());
    RunStatus status = restored.status();
    assertThat(status.getTimeline()).isEqualTo(1);
    assertThat(status.getGranted()).isEqualTo(32);
    assertThat(status.getProgress()).isEqualTo(20);
    assertThat(status.getTrainers())
        .containsExactly("rank 0 of 1 on host, pid 4, from batch 3, measures [eval_loss]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "own-v4",
        "own-v5",
        "own-v6",
        "own-v7",
        "own-v8",
        "own-v9",
        "own-v10",
        "own-v11",
        "own-v12",
        "own-v13",
        "digests-v6",
        "digests-v7",
        "digests-v8",
        "digests-v9",
        "digests-v10",
        "digests-v11",
        "digests-v12",
        "digests-v13"
      })
  void goesOnWithALogOfItsOwnFromTheBytesOfEveryVersion(String sample) throws IOException {
    boolean digests = sample.startsWith("digests");
    TestingController straight = withSnapshots(digests);
    TestingController restored = restored(withSnapshots(digests), sample);
    for (TestingController controller : List.of(straight, restored)) {
      controller.pass(10_000);
      goOn(controller, 60, 120);
    }
    assertThat(restored.log.all()).isEqualTo(straight.log.all());
    assertThat(restored.log.offsets(LogSnapshot.class)).hasSizeGreaterThan(2);
  }

  /** The controller, with what was committed in place of its own state. */
  private static TestingController restored(TestingController controller, String sample)
      throws IOException {
    TestingRunStore store = new TestingRunStore();
    committed(sample).forEach((part, hex) -> store.put(part, HexFormat.of().parseHex(hex)));
    controller.restore(new TestingController.Checkpoint(store, controller.checkpoint().read()));
    return controller;
  }

  @Test
  void knowsTheMarkOfADeletedRun() {
    TestingController controller = inTheMiddle();
    TestingRunStore store = new TestingRunStore();
    store.put("deleted", new byte[] {1});
    controller.restore(new TestingController.Checkpoint(store, -1));
    controller.settle();
    controller.pass(10_000);
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }
}
