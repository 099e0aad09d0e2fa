package io.sluice.jobs.mix.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.mix.split.EnumeratorState;
import io.sluice.jobs.mix.split.MixSplit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class AssignmentTest {
  private static final Set<Integer> BOTH = Set.of(0, 1);

  private final Assignment assignment = new Assignment(EnumeratorState.empty());

  private static MixSplit split(String run) {
    return new TestingRun(run, 1).split();
  }

  private static void start(Assignment assignment) {
    assignment.owns(0, List.of(), 2);
    assignment.owns(1, List.of(), 2);
  }

  private static Map<Integer, List<String>> given(Assignment assignment, Set<Integer> readers) {
    return assignment.assign(readers).entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, e -> e.getValue().stream().map(MixSplit::runId).toList()));
  }

  private static Assignment restored(Assignment assignment) {
    return new Assignment(assignment.snapshot(Map.of()));
  }

  @Test
  void balancesByNumber() {
    start(assignment);
    for (String run : List.of("a", "b", "c", "d", "e")) {
      assignment.discovered(split(run));
    }
    assertThat(given(assignment, BOTH))
        .isEqualTo(Map.of(0, List.of("a.1", "c.1", "e.1"), 1, List.of("b.1", "d.1")));
    assignment.discovered(split("f"));
    assertThat(given(assignment, BOTH)).isEqualTo(Map.of(1, List.of("f.1")));
  }

  @Test
  void waitsForEveryReaderAtFirstAndThenForNone() {
    assignment.discovered(split("a"));
    assignment.owns(1, List.of(), 2);
    assertThat(given(assignment, BOTH)).isEmpty();
    assignment.owns(0, List.of(), 2);
    assertThat(given(assignment, BOTH)).isEqualTo(Map.of(0, List.of("a.1")));

    assignment.registered(0);
    assignment.discovered(split("b"));
    assertThat(given(assignment, Set.of(1))).isEqualTo(Map.of(1, List.of("b.1")));
  }

  @Test
  void aRunIsWholeOnceAllItsLanesHaveFinished() {
    TestingRun lanes = TestingRun.ofLanes("a", 1, 3);
    lanes.splits().forEach(assignment::discovered);
    assignment.discovered(split("b"));
    start(assignment);
    assignment.assign(BOTH);
    List.of("a.1/0", "a.1/2", "b.1/0").forEach(assignment::ended);
    assertThat(assignment.whole(Set.of("a.1/0", "a.1/2"))).as("of one lane more").isEmpty();
    assignment.ended("a.1/1");
    assertThat(assignment.whole(Set.of("a.1/0", "a.1/2"))).as("one did not finish").isEmpty();
    assertThat(assignment.whole(Set.of("a.1/0", "a.1/1", "a.1/2"))).isEqualTo(Map.of("a.1", 3));
    assignment.owns(0, List.of("a.1/1"), 2);
    assertThat(assignment.whole(Set.of("a.1/0", "a.1/1", "a.1/2"))).as("it is back").isEmpty();
  }

  @Test
  void isSettledWhenAllIsGivenOut() {
    assertThat(assignment.isSettled()).as("before readers are there").isFalse();
    start(assignment);
    assertThat(assignment.isSettled()).isTrue();
    assignment.discovered(split("a"));
    assertThat(assignment.isSettled()).isFalse();
    assertThat(given(assignment, BOTH)).hasSize(1);
    assertThat(assignment.isSettled()).isTrue();
    assertThat(assignment.ready()).isEqualTo(BOTH);
  }

  @Test
  void givesARunOutOnce() {
    start(assignment);
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).hasSize(1);
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).isEmpty();
    assignment.ended("a.1/0");
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).isEmpty();

    Assignment later = restored(assignment);
    later.discovered(split("a"));
    start(later);
    assertThat(given(later, BOTH)).as("after a restart").isEmpty();
  }

  @Test
  void keepsWaitingSplitsInTheCheckpoint() {
    assignment.discovered(split("a"));
    Assignment later = restored(assignment);
    start(later);
    assertThat(given(later, BOTH)).isEqualTo(Map.of(0, List.of("a.1")));
  }

  @Test
  void givesReturnedSplitsToAnotherReader() {
    start(assignment);
    MixSplit split = split("a");
    assignment.discovered(split);
    assertThat(given(assignment, BOTH)).isEqualTo(Map.of(0, List.of("a.1")));
    assignment.returned(List.of(split));
    assertThat(given(assignment, Set.of(1))).isEqualTo(Map.of(1, List.of("a.1")));
  }

  @Test
  void doesNotGiveToAReaderThatHasNotSaidWhatItHas() {
    start(assignment);
    assignment.registered(0);
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).isEqualTo(Map.of(1, List.of("a.1")));
  }

  @Test
  void countsWhatReadersBringAlong() {
    start(assignment);
    assignment.discovered(split("a"));
    assignment.discovered(split("b"));
    assertThat(given(assignment, BOTH)).hasSize(2);
    Assignment later = restored(assignment);
    later.owns(0, List.of("a.1/0", "b.1/0"), 2);
    later.owns(1, List.of(), 2);
    later.discovered(split("c"));
    assertThat(given(later, BOTH)).isEqualTo(Map.of(1, List.of("c.1")));
  }

  @Test
  void noticesASplitThatNobodyHas() {
    start(assignment);
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).hasSize(1);
    Assignment later = restored(assignment);
    later.owns(0, List.of(), 2);
    assertThatThrownBy(() -> later.owns(1, List.of(), 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no reader has the splits [a.1/0] of runs that go on");

    assertThatThrownBy(() -> assignment.owns(0, List.of(), 2)).hasMessageContaining("a.1/0");
  }

  @Test
  void aSplitThatEndedAfterTheCheckpointMayComeBack() {
    start(assignment);
    assignment.discovered(split("a"));
    assertThat(given(assignment, BOTH)).hasSize(1);
    assignment.ended("a.1/0");
    assignment.registered(0);
    assignment.owns(0, List.of("a.1/0"), 2);
    assertThat(assignment.snapshot(Map.of()).assigned()).containsExactly("a.1/0");
    assertThat(assignment.snapshot(Map.of()).ended()).isEmpty();
  }
}
