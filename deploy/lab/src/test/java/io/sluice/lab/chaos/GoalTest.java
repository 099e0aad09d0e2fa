package io.sluice.lab.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.lab.chaos.fault.FaultReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalTest {
  private static FaultReport fault(String kind, String target, long flowing, long wait) {
    return new FaultReport(1, kind, target, 5, flowing, Map.of("steady", wait));
  }

  @Test
  void aMedianIsHeldAgainstItsGoal() {
    List<Goal> goals =
        Goal.of(
            List.of(
                fault("kill-task-manager", "task-manager-1", 1_000, 60),
                fault("kill-task-manager", "task-manager-2", 9_000, 190),
                fault("kill-task-manager", "task-manager-1", 2_000, 60),
                fault("kill-job-manager", "job-manager", 5_001, 60)),
            1,
            "steady");
    assertThat(goals)
        .containsExactly(
            new Goal("recovery of a task manager", 2_000, 2_000),
            new Goal("recovery of the job manager", 5_000, 5_001),
            new Goal("longest wait of steady", 200, 190));
    assertThat(goals).extracting(Goal::met).containsExactly(true, false, true);
    assertThat(new ObjectMapper().valueToTree(goals.get(1)).get("met").asBoolean()).isFalse();
  }

  @Test
  void aBrokerHasAGoalAmongThreeOnly() {
    List<FaultReport> killed = List.of(fault("kill-broker", "broker", 4_000, 100));
    assertThat(Goal.of(killed, 1, "moving")).isEmpty();
    assertThat(Goal.of(killed, 3, "moving"))
        .containsExactly(new Goal("recovery of a broker of three", 3_000, 4_000));
  }

  @Test
  void aTrainerThatIsHitItselfMayWait() {
    List<FaultReport> faults =
        List.of(
            fault("kill-trainer", "trainer-steady", 4_000, 4_000),
            fault("clock-jump", "trainer-steady by 60 s for 2.0 s", 4_000, 4_000),
            fault("recreate-run", "steady", 4_000, 4_000),
            fault("clock-jump", "broker by 60 s for 2.0 s", 0, 70));
    assertThat(Goal.of(faults, 1, "steady"))
        .containsExactly(new Goal("longest wait of steady", 200, 70));
  }
}
