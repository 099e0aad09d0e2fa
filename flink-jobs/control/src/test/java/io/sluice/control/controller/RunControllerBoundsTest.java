package io.sluice.control.controller;

import static io.sluice.control.controller.TestingRuns.apply;
import static io.sluice.control.controller.TestingRuns.change;
import static io.sluice.control.controller.TestingRuns.feedback;
import static io.sluice.control.controller.TestingRuns.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.control.runs.RunCommands;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.ChangeRunState;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Limits;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.WireCodec;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever comes from outside, what is written of it fits a record. */
class RunControllerBoundsTest {
  private static final String HUGE = "x".repeat(1 << 20);
  private static final String SHOWN = "'" + "x".repeat(79) + "…'";

  @Test
  void refusesACommandWithATextThatTheLogCannotRepeat() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(
        new RunCommand("c1", TestingRuns.RUN, 0L, new ChangeRunState("paused", HUGE)));
    assertThat(controller.proposed).isEmpty();
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("command c1: reason must have 0 to 1000 characters: 1048576, " + SHOWN);
    controller.command(
        new RunCommand(
            "c2",
            TestingRuns.RUN,
            0L,
            new ReviseRun(spec().build(), List.of(), HUGE, -1L, List.of())));
    controller.command(change(HUGE, "paused"));
    assertThat(controller.proposed).isEmpty();
    RunStatus status = controller.status();
    assertThat(status.getLastRefusal()).contains("commandId must have 1 to 128 characters");
    assertThat(WireCodec.encode(status)).hasSizeLessThan(4_000);
    controller.command(change("c3", "paused"));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("paused");
  }

  @Test
  void answersACommandInFewWordsWhateverItSays() {
    TestingController controller = TestingController.started(spec().build());
    RunSpec wanted = spec().setPolicySettings(Map.of("target-fraction", HUGE)).build();
    controller.command(
        new RunCommand(
            "c1",
            TestingRuns.RUN,
            0L,
            new ReviseRun(wanted, List.of(), "why not", -1L, List.of())));
    ControlRecord answer = controller.proposed.get(0);
    assertThat(((RunStateChanged) answer.getBody()).getRefused()).isTrue();
    assertThat(answer.getWhy()).contains("target-fraction").hasSize(Limits.TEXT);
  }

  private static ApplyRun asked(RunSpec spec, String streamTopicId) {
    return new ApplyRun(spec, streamTopicId, null, false, false);
  }

  @Test
  void theCommandLineSendsNoSuchCommand() {
    RunCommands commands =
        new RunCommands(
            new KafkaAccess("localhost:1", Topics.standard(), Map.of()),
            InstantSource.system(),
            () -> "n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> commands.change("r.1", "paused", HUGE))
        .withMessage("reason must have 0 to 1000 characters: 1048576, " + SHOWN);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> commands.send("r.1", asked(spec().build(), "x".repeat(70_000))))
        .withMessage("streamTopicId must have 0 to 64 characters: 70000, " + SHOWN);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> commands.send("r.1", asked(spec().setTokenizer(HUGE).build(), "")))
        .withMessageStartingWith("the record must have at most 1000000 bytes: 1048");
  }

  @Test
  void aTopicIdThatIsNoneNeverComesIntoTheLog() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(
        new RunCommand("a1", TestingRuns.RUN, 0L, asked(spec().build(), "x".repeat(70_000))));
    controller.settle();
    assertThat(controller.log.size()).isZero();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .isEqualTo("streamTopicId must have 0 to 64 characters: 70000, " + SHOWN);
  }

  @Test
  void aTopicIdThatIsNoneInTheLogFailsItsRun() {
    TestingController writer = new TestingController(new TestingLog(), "w");
    writer.command(apply(spec().build()));
    ControlRecord start = writer.proposed.remove(0);
    ((RunStarted) start.getBody()).setStreamTopicId("x".repeat(70_000));
    writer.log.append(start);
    writer.echoAll();
    assertThat(writer.status().getPhase()).isEqualTo("failed");
    assertThat(writer.status().getWaiting()).contains("streamTopicId must have 0 to 64 characters");
  }

  @Test
  void aCommandIdThatNoFoldCanKeepFailsItsRun() {
    TestingController controller = TestingController.started(spec().build());
    controller.command(change("c1", "paused"));
    ControlRecord paused = controller.proposed.remove(0);
    ((RunStateChanged) paused.getBody()).setCommandId("x".repeat(70_000));
    controller.log.append(paused);
    controller.echoAll();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .contains("commandId must have 0 to 128 characters: 70000");
  }

  @Test
  void theStatusIsBoundedWhateverTrainersSay() {
    TestingController controller = TestingController.started(spec().build());
    List<String> metrics =
        IntStream.range(0, 700).mapToObj(i -> "a_metric_with_a_name." + i).toList();
    for (int rank = 0; rank < 64; rank++) {
      controller.attached(attached(rank, "host", "h", metrics));
      controller.attached(attached(rank, HUGE, "h", List.of()));
      controller.attached(attached(rank, "host", HUGE, List.of()));
      controller.attached(attached(rank, "h".repeat(255), "h", metrics.subList(0, 64)));
    }
    assertBounded(controller.status(), 64 * 3);
    assertThat(controller.status().getLastRefusal())
        .isEqualTo("trainer holder must have 0 to 128 characters: 1048576, " + SHOWN);
    assertThat(controller.status().getTrainers().get(0))
        .startsWith("rank 0 of 64 on hhhh")
        .hasSize(Limits.TEXT);
  }

  @Test
  void theStatusIsBoundedWhateverAnOlderJobTook() {
    TestingController controller = TestingController.started(spec().build());
    List<String> metrics = Collections.nCopies(700, "x".repeat(64));
    for (int rank = 0; rank < 64; rank++) {
      controller.store.put(
          "holder/" + rank + "/0", WireCodec.encode(attached(rank, HUGE, "h", metrics)));
    }
    controller.crash();
    assertBounded(controller.status(), 0);
  }

  private static void assertBounded(RunStatus status, long refused) {
    assertThat(status.getTrainers()).hasSize(64);
    assertThat(status.getRefusedFeedback()).isEqualTo(refused);
    assertThat(WireCodec.encode(status)).hasSizeLessThan(Limits.RECORD_BYTES / 4);
  }

  private static TrainerAttached attached(
      int rank, String host, String holder, List<String> metrics) {
    return new TrainerAttached(TestingRuns.RUN, 0, 0L, 64, rank, 0, holder, host, 1L, metrics, 0L);
  }

  @Test
  void aGrantThatTheLogHasNoRoomForFailsItsRun() {
    List<String> domains = IntStream.range(10_000, 38_000).mapToObj(i -> "d" + i).toList();
    TestingController controller = new TestingController(new TestingLog(), "w");
    domains.forEach(domain -> controller.supply.offer(TestingRuns.supply(domain, 100, false)));
    controller.command(apply(of(domains)));
    controller.settle();
    assertThat(controller.status().getWaiting()).startsWith("round 1: waits for");
    controller.feedback(measured(0, domains));
    controller.feedback(measured(10, domains));
    controller.settle();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .matches("entry [0-9]+ of the control log must have at most 1000000 bytes: 1[0-9]{6}");
    assertThat(controller.log.all())
        .allMatch(entry -> WireCodec.encode(entry).length <= Limits.RECORD_BYTES);
  }

  @Test
  void aRunWhoseStartTheLogHasNoRoomForFails() {
    List<String> domains =
        IntStream.range(100_000, 130_000).mapToObj(i -> "a-name-of-a-domain-" + i).toList();
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(of(domains)));
    controller.settle();
    assertThat(controller.log.size()).isZero();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .startsWith("entry 0 of the control log must have at most 1000000 bytes: 1");
  }

  @Test
  void whatIsSaidOfARunThatNobodyStartsIsForgotten() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.feedback(feedback(0, 4, 4));
    controller.attached(attached(0, "host", "h", List.of()));
    controller.pass(RunController.UNKNOWN_MILLIS - 1_000);
    assertThat(controller.store.load()).isNotEmpty();
    controller.crash();
    controller.pass(RunController.UNKNOWN_MILLIS + 1_000);
    assertThat(controller.store.load()).isEmpty();
    assertThat(controller.statuses).isEmpty();
  }

  @Test
  void whatIsSaidOfARunIsKeptAsLongAsTheLogIsNotRead() {
    TestingController writer = TestingController.started(spec().build());
    TestingController late = new TestingController(writer.log, "late");
    late.openAt(5_000_000);
    late.feedback(feedback(0, 4, 4));
    ControlRecord other = ControlRecord.newBuilder(writer.log.all().get(0)).build();
    other.setBasedOn(77);
    for (int i = 0; i < 4; i++) {
      late.pass(RunController.UNKNOWN_MILLIS - 1_000);
      late.echo(other, 3);
    }
    late.echoAll();
    late.pass(1_000);
    assertThat(late.status().getWaiting()).contains("waits for eval_loss of step 10");
  }

  @Test
  void aRunThatIsAskedForIsNeverForgotten() {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(apply(spec().build()));
    controller.feedback(feedback(0, 4, 4));
    controller.pass(3 * RunController.UNKNOWN_MILLIS);
    controller.settle();
    assertThat(controller.status().getWaiting()).contains("waits for eval_loss of step 10");
  }

  @Test
  void aForkOfWhatNoPlanOwesIsNoRun() {
    RunSnapshot from =
        Snapshots.write(TestingController.started(spec().build()).log.past().asOf(10).snapshot());
    from.setPlanError(List.of(0L, Long.MIN_VALUE));
    TestingController controller = new TestingController(new TestingLog(), "w");
    ApplyRun asked =
        new ApplyRun(
            spec().build(), TestingRuns.STREAM, new RunOrigin("velo-0", 0, from), false, false);
    controller.command(new RunCommand("a1", TestingRuns.RUN, 0L, asked));
    controller.settle();
    assertThat(controller.log.size()).isZero();
    assertThat(controller.status().getPhase()).isEqualTo("failed");
    assertThat(controller.status().getWaiting())
        .startsWith("planError of domain 1 must be in [-2^60, 2^60]: -92233");
  }

  private static RunSpec of(List<String> domains) {
    return spec()
        .setDomains(domains)
        .setInitialWeights(ControlWire.boxed(Weights.uniform(domains.size())))
        .setEpochs(Collections.nCopies(domains.size(), 1))
        .build();
  }

  private static TrainerFeedback measured(long step, List<String> domains) {
    return TrainerFeedback.newBuilder(feedback(step, 1, 1))
        .setEntries(
            domains.stream()
                .map(domain -> new DomainMeasure(domain, 3 + domain.hashCode() % 7 * 0.1, 1L))
                .toList())
        .build();
  }
}
