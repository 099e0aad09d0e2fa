package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.progress;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.RunStatus;
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
 * controller-v<n>.txt} holds every part of a controller in the middle of a run, a line each.
 *
 * <p>After a format has changed, add the next version; never change that of a release:
 *
 * <pre>mvn -pl flink-jobs/control test -Dtest=ControllerFormatTest -Dsluice.samples=v3</pre>
 */
class ControllerFormatTest {
  private static final Path FILES = Path.of("src/test/resources/io/sluice/control/controller");
  private static final String CURRENT = "v2";

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

  private static Map<String, String> lines(TestingRunStore store) {
    Map<String, String> lines = new TreeMap<>();
    store.load().forEach((part, bytes) -> lines.put(part, HexFormat.of().formatHex(bytes)));
    return lines;
  }

  private static Map<String, String> committed(String version) throws IOException {
    Map<String, String> lines = new TreeMap<>();
    for (String line : Files.readAllLines(FILES.resolve("controller-" + version + ".txt"))) {
      String[] sides = line.split("=", 2);
      lines.put(sides[0], sides[1]);
    }
    return lines;
  }

  @Test
  @EnabledIfSystemProperty(named = "sluice.samples", matches = "v\\d+")
  void writesTheCurrentFormat() throws IOException {
    Path file = FILES.resolve("controller-" + System.getProperty("sluice.samples") + ".txt");
    Files.createDirectories(FILES);
    List<String> lines =
        lines(inTheMiddle().store).entrySet().stream()
            .map(part -> part.getKey() + "=" + part.getValue())
            .toList();
    Files.write(file, lines);
    assertThat(file).isNotEmptyFile();
  }

  @Test
  void theCurrentFormatIsCommitted() throws IOException {
    assertThat(lines(inTheMiddle().store))
        .as("a format has changed: add the next version")
        .isEqualTo(committed(CURRENT))
        .containsOnlyKeys(
            "checkpoint/0", "command/0", "fold", "held/0", "notes", "report/20/0", "started");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void goesOnFromTheBytesOfEveryVersion(String version) throws IOException {
    TestingController straight = inTheMiddle();
    TestingController restored = inTheMiddle();
    TestingRunStore store = new TestingRunStore();
    committed(version).forEach((part, hex) -> store.put(part, HexFormat.of().parseHex(hex)));
    restored.restore(new TestingController.Checkpoint(store, restored.checkpoint().read()));
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
    assertThat(status.getRefusedFeedback()).isEqualTo(1);
    assertThat(status.getLastRefusal())
        .isEqualTo("step 20, rank 0 of 2: this rank of the attempt has reported already");
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
