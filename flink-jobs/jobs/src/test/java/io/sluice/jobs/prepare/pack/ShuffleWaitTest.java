package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShuffleWaitTest {
  private static final int CAPACITY = 4;
  private static final DatasetSpec SPEC = TestingDatasets.releasing(16, CAPACITY, 0, 1);

  private final List<Long> asked = new ArrayList<>();
  private final DomainPacking packing = packing(SPEC);
  private final ShuffleWait wait = new ShuffleWait(SPEC, packing, this::after);
  private long now = 500;

  @Test
  void theTimeBeginsWithTheFirstDocumentThatWaits() {
    wait.begin();
    assertThat(asked).isEmpty();
    accept(1);
    now += 3_000;
    accept(2);
    assertThat(asked).containsExactly(10_500L);

    assertThat(wait.over(10_500)).isTrue();
    assertThat(packing.waiting()).isZero();
    assertThat(asked).hasSize(1);
    now = 20_000;
    accept(1);
    assertThat(asked).containsExactly(10_500L, 30_000L);
  }

  @Test
  void aBufferThatIsTurnedOverKeepsItsDocuments() {
    accept(1 + CAPACITY);
    assertThat(wait.over(10_500)).isFalse();
    assertThat(packing.waiting()).isEqualTo(CAPACITY);
    assertThat(asked).hasSize(2);

    accept(CAPACITY - 1);
    assertThat(wait.over(asked.get(1))).isTrue();
    assertThat(packing.waiting()).isZero();
  }

  @Test
  void aTimeThatIsNoLongerAskedForIsOverWithoutEffect() {
    now = 1_000;
    accept(1);
    assertThat(wait.over(10_999)).isFalse();
    assertThat(packing.waiting()).isEqualTo(1);
    assertThat(asked).containsExactly(11_000L);
  }

  @Test
  void aTimeOfAnEarlierExecutionCounts() {
    accept(2);
    ShuffleWait restored = new ShuffleWait(SPEC, packing, this::after);
    restored.begin();
    assertThat(asked).hasSize(1);
    assertThat(restored.over(10_500)).isTrue();
    assertThat(packing.waiting()).isZero();
  }

  @Test
  void atTheEndNothingIsLeftToWait() {
    accept(2);
    packing.accept(new CorpusEnded("java"));
    assertThat(wait.over(10_500)).isFalse();
    assertThat(asked).hasSize(1);
  }

  @Test
  void withoutATimeNothingIsAskedFor() {
    DatasetSpec never = TestingDatasets.dataset(16, CAPACITY, 0);
    DomainPacking waiting = packing(never);
    ShuffleWait none = new ShuffleWait(never, waiting, this::after);
    waiting.accept(TestingDatasets.document("java", "a", "abc", new HeldOutRule(0, 1)));
    none.begin();
    assertThat(asked).isEmpty();
    assertThat(waiting.waiting()).isEqualTo(1);
  }

  private static DomainPacking packing(DatasetSpec spec) {
    return new DomainPacking(
        spec,
        Topics.standard(),
        "java",
        new TestingSlots(),
        CommittedSupply.NONE,
        Decisions.none(),
        () -> 7,
        message -> {});
  }

  private void accept(int documents) {
    for (int i = 0; i < documents; i++) {
      packing.accept(TestingDatasets.document("java", "d" + i, "text", new HeldOutRule(0, 1)));
      wait.begin();
    }
  }

  private long after(long millis) {
    asked.add(now + millis);
    return now + millis;
  }
}
