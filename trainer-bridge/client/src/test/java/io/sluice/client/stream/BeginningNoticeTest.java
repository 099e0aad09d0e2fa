package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.run.RunTimeline;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStatus;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BeginningNoticeTest {
  private final TestingStream stream = new TestingStream(3, 4, 4);
  private final AtomicInteger asked = new AtomicInteger();

  private Optional<String> notice(RunTimeline timeline, long progress) {
    return BeginningNotice.of(
        stream.run(),
        timeline,
        () -> {
          asked.incrementAndGet();
          return Optional.of(progress)
              .filter(batch -> batch >= 0)
              .map(BeginningNoticeTest::standing);
        });
  }

  private static RunStatus standing(long progress) {
    return RunStatus.newBuilder()
        .setRunId("r-1")
        .setRun("r")
        .setPhase("running")
        .setTimeline(0)
        .setGranted(progress)
        .setProgress(progress)
        .setWeightsVersion(0)
        .setWaiting("")
        .setTimeMillis(0)
        .build();
  }

  @Test
  void aRunThatWasTrainedOnIsBegunWithAState() {
    RunTimeline own = RunTimeline.of(stream.run().spec());
    assertThat(notice(own, 0)).isEmpty();
    assertThat(notice(own, 1)).isEmpty();
    assertThat(notice(own, -1)).isEmpty();
    assertThat(notice(own, 300))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith(
                        "run r-1 was trained on up to batch 300, and this trainer begins at")
                    .contains("open the stream with the state of its checkpoint"));
  }

  @Test
  void aForkIsBegunWithTheStateThatItGoesOnFrom() {
    RunStarted forked = (RunStarted) TestingLog.forked(stream.run(), "p-1", 2, 40, 320).getBody();
    assertThat(notice(RunTimeline.of("r-1", forked), 300))
        .hasValueSatisfying(
            text ->
                assertThat(text)
                    .startsWith("run r-1 goes on from batch 40 of run p-1, and no state of it")
                    .contains("trains from batch 41 on"));
    assertThat(asked).hasValue(0);
  }
}
