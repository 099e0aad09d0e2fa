package io.sluice.client.feedback;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.error.RankTakenException;
import io.sluice.client.run.ExposedTime;
import io.sluice.client.run.FeedbackSource;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.run.WaitCause;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ChainHash;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.ExposedWait;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RepeaterTest {
  private static final RunInfo RUN = new TestingStream(1, 4).run();
  private static final Duration LONG = Duration.ofHours(1);
  private static final long EVERY = 10;

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final Outbox outbox = new Outbox(producer, "sluice.feedback.r", new byte[0], 100);
  private final Source source = new Source();
  private final Repeater repeater =
      new Repeater(source, outbox, new Repetition(() -> source.now, new Random(1)));

  /** A trainer, and the time. */
  private static final class Source implements FeedbackSource {
    private Timelines timelines = Timelines.startingAfter(0, 0, ChainHash.START);
    private boolean waits = true;
    private boolean taken;
    private Optional<ExposedTime> exposed = Optional.empty();
    private long now;

    @Override
    public RunInfo run() {
      return RUN;
    }

    @Override
    public TrainerRank rank() {
      return TrainerRank.of(1, 2);
    }

    @Override
    public int timelineOf(long step) {
      return timelines.owner(step);
    }

    @Override
    public int timeline() {
      return timelines.newest();
    }

    @Override
    public boolean waits() {
      return waits;
    }

    @Override
    public Optional<ExposedTime> exposed() {
      return exposed;
    }

    @Override
    public void requireHeld() {
      if (taken) {
        throw new RankTakenException(
            "rank 1 of 2",
            new TrainerAttached("r-1", 0, 0L, 2, 1, 0, "other", "host", 1L, List.of(), 1L));
      }
    }
  }

  @AfterEach
  void close() {
    repeater.close();
    outbox.close(LONG);
  }

  @Test
  void progressThatIsSaidAgainSaysWhatWasWaitedUntilNow() {
    trained(0, 1);
    source.exposed = Optional.of(new ExposedTime(9_000_000L, Map.of(WaitCause.SUPPLY, 7_000_000L)));
    outbox.flush(LONG);
    producer.clear();
    source.now += Duration.ofSeconds(61).toNanos();
    repeater.look();
    outbox.flush(LONG);
    TrainerProgress said =
        WireCodec.decode(TrainerProgress.class, producer.history().get(0).value());
    assertThat(said)
        .isEqualTo(
            new TrainerProgress(
                "r-1",
                0,
                1L,
                1L,
                2,
                1,
                -1L,
                1L,
                new ExposedWait(9L, 0L, 7L, 0L, 0L, 0L, 0L),
                null));
  }

  private void measured(int timeline, long step, String attempt) {
    say(
        new TrainerFeedback(
            "r-1",
            timeline,
            step,
            step,
            attempt,
            2,
            1,
            "eval_loss",
            List.of(new DomainMeasure("java", 3.0, 1L)),
            1L));
  }

  private void trained(int timeline, long batch) {
    say(new TrainerProgress("r-1", timeline, batch, batch, 2, 1, -1L, 1L, null, null));
  }

  private void say(SpecificRecordBase message) {
    repeater.said(message, WireCodec.encode(message), openTo(message));
    repeater.speaks();
  }

  private static long openTo(SpecificRecordBase message) {
    return message instanceof TrainerFeedback report ? report.getStep() + EVERY : 0;
  }

  /** What is said again within that time, looked for each second: the last lot of it. */
  private List<String> again(Duration time) {
    producer.clear();
    List<String> last = List.of();
    for (long second = 0; second < time.toSeconds(); second++) {
      source.now += Duration.ofSeconds(1).toNanos();
      repeater.look();
      outbox.flush(LONG);
      if (!producer.history().isEmpty()) {
        last = producer.history().stream().map(sent -> name(sent.value())).toList();
        producer.clear();
      }
    }
    return last;
  }

  private static String name(byte[] value) {
    SpecificRecordBase message = WireCodec.decode(value);
    return message instanceof TrainerFeedback report
        ? report.getAttempt()
        : "batch " + message.get("batch");
  }

  @Test
  void whoeverWaitsSaysItsLastProgressAndTheReportsOfOpenStepsAgain() {
    measured(0, 0, "closed");
    trained(0, 10);
    measured(0, 20, "first");
    measured(0, 15, "again");
    trained(0, 20);
    measured(0, 20, "second");
    trained(0, 21);
    assertThat(again(Duration.ofMinutes(1))).containsExactly("again", "second", "batch 21");
  }

  @Test
  void nothingIsSaidAgainWhileBatchesCome() {
    trained(0, 1);
    source.waits = false;
    assertThat(again(Duration.ofHours(1))).isEmpty();
    source.waits = true;
    assertThat(again(Duration.ofSeconds(29))).isEmpty();
    trained(0, 2);
    assertThat(again(Duration.ofSeconds(29))).isEmpty();
    assertThat(again(Duration.ofSeconds(31))).containsExactly("batch 2");
  }

  @Test
  void whoHasLostTheRankSaysNothingMore() {
    trained(0, 1);
    source.taken = true;
    assertThat(again(Duration.ofHours(1))).isEmpty();
  }

  /** Batches beyond 8 are of timeline 1, and what was measured there before is nobody's. */
  @Test
  void whatARewindTookBackIsNotSaidAgain() {
    measured(0, 5, "stands");
    measured(0, 10, "taken back");
    trained(0, 10);
    source.timelines = source.timelines.opening(1, 8, 32);
    assertThat(again(Duration.ofMinutes(1))).containsExactly("stands");
    trained(1, 9);
    assertThat(again(Duration.ofMinutes(1))).containsExactly("stands", "batch 9");
  }

  @Test
  void nothingIsSaidAgainWhileTheBrokerIsAway() {
    MockProducer<byte[], byte[]> silent =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    Outbox waiting = new Outbox(silent, "sluice.feedback.r", new byte[0], 2);
    try (Repeater patient =
        new Repeater(source, waiting, new Repetition(() -> source.now, new Random(1)))) {
      TrainerProgress progress = new TrainerProgress("r-1", 0, 1L, 1L, 2, 1, -1L, 1L, null, null);
      byte[] value = WireCodec.encode(progress);
      patient.said(progress, value, 0);
      waiting.put(() -> value);
      source.now += LONG.toNanos();
      patient.look();
      waiting.put(() -> value); // the second of two that it has room for
    }
    waiting.close(Duration.ZERO);
  }

  @Test
  void theFirstStepOfAPolicyIsOpenForTwoRounds() {
    OpenRounds rounds = new OpenRounds();
    RunSpec spec =
        RunSpec.newBuilder(RUN.spec()).setPolicy("dga").setUpdateEvery(10).setLag(2).build();
    assertThat(List.of(0L, 0L, 10L, 20L))
        .map(step -> rounds.openTo(spec, step))
        .containsExactly(12L, 12L, 12L, 22L);
    RunSpec other = RunSpec.newBuilder(spec).setPolicy("velocitune").build();
    assertThat(rounds.openTo(other, 30)).isEqualTo(42);
    assertThat(rounds.openTo(other, 40)).isEqualTo(42);
    // Back to an earlier batch, where the policy may begin anew.
    assertThat(rounds.openTo(other, 20)).isEqualTo(32);
  }

  @Test
  void onlySoManyReportsAreKept() {
    for (int step = 1; step <= 70; step++) {
      measured(0, step, "step " + step);
    }
    assertThat(again(Duration.ofMinutes(1))).hasSize(64).startsWith("step 7").endsWith("step 70");
  }

  @Test
  void repetitionsBecomeRareAndThoseOfManyRanksDoNotFallTogether() {
    TreeMap<Long, Integer> records = new TreeMap<>();
    for (int rank = 0; rank < 800; rank++) {
      long[] now = {0};
      Repetition repetition = new Repetition(() -> now[0], new Random(rank));
      int times = 0;
      for (long second = 1; second <= 3600; second++) {
        now[0] = Duration.ofSeconds(second).toNanos();
        if (repetition.isDue()) {
          times++;
          records.merge(second, 1, Integer::sum);
        }
      }
      assertThat(times).isBetween(5, 9);
    }
    assertThat(records.firstKey()).isGreaterThanOrEqualTo(30);
    // In the first half minute of them there are 800, 27 a second on average.
    assertThat(records.values()).allMatch(atOnce -> atOnce < 60);
  }
}
