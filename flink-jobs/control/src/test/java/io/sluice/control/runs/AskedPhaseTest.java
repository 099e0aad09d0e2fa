package io.sluice.control.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.RunStatus;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AskedPhaseTest {
  private static final Optional<RunStatus> SILENCE = Optional.empty();
  private static final Optional<ControlEntry> NO_ANSWER = Optional.empty();

  @Test
  void aPhaseHasComeWhenTheLogOrTheStatusSaysSo() {
    AskedPhase paused = new AskedPhase("paused");
    assertThat(paused.hasCome(SILENCE, NO_ANSWER)).isFalse();
    assertThat(paused.hasCome(status("running"), NO_ANSWER)).isFalse();
    assertThat(paused.hasCome(status("paused"), NO_ANSWER)).isTrue();
    assertThat(paused.hasCome(SILENCE, answer(new PhaseChange(RunPhase.PAUSED, "c")))).isTrue();
    assertThat(paused.hasCome(SILENCE, answer(new Refused(RunPhase.STOPPED, "c")))).isTrue();
  }

  @Test
  void aDeletionHasComeOnlyWhenMixJobHasReadOfIt() {
    AskedPhase deleted = new AskedPhase("deleted");
    Optional<ControlEntry> answer = answer(new PhaseChange(RunPhase.DELETED, "c"));
    assertThat(deleted.hasCome(SILENCE, answer)).isFalse();
    assertThat(deleted.hasCome(status("running"), answer)).isFalse();
    assertThat(deleted.hasCome(status("deleted"), NO_ANSWER)).isTrue();
    assertThat(deleted.hasCome(SILENCE, answer(new Refused(RunPhase.DELETED, "c")))).isTrue();
  }

  private static Optional<ControlEntry> answer(ControlEntry.Body body) {
    return Optional.of(new ControlEntry("r.1", 0, 1, 0, "by hand", body));
  }

  private static Optional<RunStatus> status(String phase) {
    return Optional.of(
        RunStatus.newBuilder()
            .setRunId("r.1")
            .setRun("r")
            .setPhase(phase)
            .setTimeline(0)
            .setGranted(0)
            .setProgress(0)
            .setWeightsVersion(1)
            .setWaiting("")
            .setTimeMillis(0)
            .build());
  }
}
