package io.sluice.jobs.mix.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class EnumeratorStateTest {
  @Test
  void aRunHasEndedOnceNoLaneOfItGoesOn() {
    EnumeratorState state =
        new EnumeratorState(
            Map.of(), List.of(), Set.of("a.1/1", "c.1/0"), Set.of("a.1/0", "b.1/0", "b.1/1"));
    assertThat(state.runIds()).containsExactlyInAnyOrder("a.1", "b.1", "c.1");
    assertThat(state.endedRunIds()).containsExactly("b.1");
  }
}
