package io.sluice.lab.reproduce.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TrialTest {
  private static final Arm ARM = Arm.of("arm", 1, Mixture.fixed(Map.of()));

  @Test
  void trialsOfASettingShareTheNamesOfArmsAndNothingElse() {
    assertThat(trial("").id()).isEqualTo("7");
    assertThat(trial("").named(ARM)).isEqualTo("arm");
    assertThat(trial("few").id()).isEqualTo("few-7");
    assertThat(trial("few").named(ARM)).isEqualTo("arm@few");
    assertThat(trial("few").part("clusters").id()).isEqualTo("few-clusters-7");
    assertThat(trial("few").part("clusters").named(ARM)).isEqualTo("arm@few");
  }

  private static Trial trial(String name) {
    Texts none = Texts.test(Map.of());
    return new Trial(name, 7, none, none, List.of(ARM));
  }
}
