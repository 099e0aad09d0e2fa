package io.sluice.lab.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultKindTest {
  @Test
  void whatComesDependsOnTheBrokers() {
    assertThat(FaultKind.usual(1))
        .hasSizeGreaterThanOrEqualTo(24)
        .contains(FaultKind.KILL_BROKER)
        .doesNotContain(FaultKind.KILL_BROKERS, FaultKind.CHANGE_OF_LEADER, FaultKind.POWER_CUT);
    assertThat(FaultKind.usual(3))
        .containsAll(FaultKind.usual(1))
        .contains(FaultKind.KILL_BROKERS, FaultKind.CHANGE_OF_LEADER, FaultKind.POWER_CUT);
  }

  @Test
  void whatIsBeyondWhatIsPromisedComesOnlyIfItIsAskedFor() {
    assertThat(FaultKind.usual(1)).doesNotContain(FaultKind.LOST_FSYNC);
    assertThat(FaultKind.LOST_FSYNC.fits(1)).isTrue();
    assertThat(FaultKind.LOST_FSYNC.fits(3)).isFalse();
  }

  @Test
  void onlyRecordsOughtNotToBeFelt() {
    assertThat(FaultKind.POISON.isFelt()).isFalse();
    assertThat(FaultKind.RESTORE_WITHOUT_STATE.isFelt()).isTrue();
  }
}
