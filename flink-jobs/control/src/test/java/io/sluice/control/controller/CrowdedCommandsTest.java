package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.DrainRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunStateChanged;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** More commands at once than may wait: the log answers each of them, in their order. */
class CrowdedCommandsTest {
  private static final int WAITING = 64;
  private static final int REFUSED = 1_024;

  private final TestingController controller = TestingController.started(spec().build());

  private static RunCommand drain(String id) {
    return RunCommand.newBuilder(change(id, "running")).setBody(new DrainRun(1L, "more")).build();
  }

  private void ask(int commands) {
    for (int n = 0; n < commands; n++) {
      controller.command(drain("c" + n));
    }
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> "c" + n).toList();
  }

  /** Ids of the commands that the log has answered, and whether it refused them. */
  private List<String> answers(boolean refused) {
    return controller.log.all().stream()
        .flatMap(
            record -> {
              if (record.getBody() instanceof RunRevised done) {
                return refused ? Stream.empty() : Stream.of(done.getCommandId());
              }
              return record.getBody() instanceof RunStateChanged change
                      && change.getRefused() == refused
                  ? Stream.of(change.getCommandId())
                  : Stream.empty();
            })
        .filter(Objects::nonNull)
        .toList();
  }

  @Test
  void thoseForWhichThereIsNoRoomAreRefusedInTheLogAfterTheOthers() {
    ask(200);
    controller.command(drain("c200"));
    controller.settle();
    assertThat(answers(false)).isEqualTo(ids(0, WAITING));
    assertThat(answers(true)).isEqualTo(ids(WAITING, 201));
    assertThat(controller.log.all())
        .filteredOn(record -> record.getBody() instanceof RunStateChanged)
        .allSatisfy(
            record ->
                assertThat(record.getWhy())
                    .isEqualTo("refused: at most 64 commands of a run may wait"));
    controller.command(drain("c201"));
    controller.settle();
    assertThat(answers(false)).hasSize(WAITING + 1).endsWith("c201");
  }

  @Test
  void noneIsForgottenInACrash() {
    ask(100);
    controller.crash();
    controller.settle();
    assertThat(answers(true)).isEqualTo(ids(WAITING, 100));
  }

  @Test
  void whatEndsTheRunIsNotRefused() {
    ask(100);
    controller.command(change("end", "deleted"));
    controller.command(change("end again", "deleted"));
    controller.settle();
    assertThat(answers(false)).endsWith("end");
    assertThat(controller.status().getPhase()).isEqualTo("deleted");
    assertThat(controller.store.load()).containsOnlyKeys("deleted");
  }

  @Test
  void moreThanAFoldRemembersTakeNoMoreRoom() {
    ask(WAITING + REFUSED + 10);
    assertThat(controller.store.load().keySet())
        .filteredOn(part -> part.startsWith("refused/"))
        .hasSize(REFUSED);
    controller.settle();
    assertThat(answers(true)).isEqualTo(ids(WAITING + 10, WAITING + REFUSED + 10));
  }

  @Test
  void aRunThatIsAskedForAmongTooManyIsStarted() {
    TestingController late = new TestingController(new TestingLog(), "w");
    for (int n = 0; n < 100; n++) {
      late.command(drain("c" + n));
    }
    late.command(TestingRuns.apply(spec().build()));
    late.pass(2_000);
    late.settle();
    assertThat(late.status().getPhase()).isEqualTo("running");
  }
}
