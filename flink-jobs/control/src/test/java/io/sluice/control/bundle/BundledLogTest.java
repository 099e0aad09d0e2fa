package io.sluice.control.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.history.RunHistory;
import io.sluice.control.wire.ControlWire;
import io.sluice.mixture.log.LogPosition;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunStarted;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BundledLogTest {
  @Test
  void foldsToTheRunUnderAnyName() {
    RunHistory history = BundledLog.history(TestingBundles.entries(3), "again");
    assertThat(history.name()).isEqualTo("again");
    assertThat(history.state().position().granted()).isEqualTo(6);
    assertThat(history.sequences()).containsExactly(24, 24);
  }

  @Test
  void keepsWhatItWasMadeOf() {
    List<ControlRecord> entries = TestingBundles.entries(3);
    assertThat(BundledLog.of(BundledLog.history(entries, "velo"))).isEqualTo(entries);
  }

  @Test
  void placesAnEntryBehindAnother() {
    ControlRecord start = TestingBundles.entries(1).get(0);
    BundledLog.Named run = new BundledLog.Named("again", "again.1");
    ControlRecord first =
        BundledLog.placed(start, run, "topic-id", LogPosition.start("again.1"), "me", 7);
    assertThat(first.getBody())
        .isInstanceOfSatisfying(
            RunStarted.class,
            body -> {
              assertThat(body.getStreamTopicId()).isEqualTo("topic-id");
              assertThat(body.getSpec().getRun()).isEqualTo("again");
            });
    assertThat(start).as("it is left as it is").isEqualTo(TestingBundles.entries(1).get(0));
    ControlRecord next =
        BundledLog.placed(
            TestingBundles.entries(1).get(1),
            run,
            "topic-id",
            new LogPosition("again.1", 0, 4, 9, 0, 77L),
            "me",
            7);
    assertThat(List.of(next.getSerial(), next.getBasedOn(), next.getBasedOnDigest()))
        .containsExactly(5L, 9L, 77L);
  }

  @Test
  void refusesGrantsThatNoPlanGives() {
    List<ControlRecord> entries = new ArrayList<>(TestingBundles.entries(1));
    entries.set(
        1, ControlWire.write(TestingBundles.entry(TestingBundles.grant(0, 8, 0), 1), "", 0));
    assertThatThrownBy(() -> BundledLog.history(entries, "velo"))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void refusesGrantsThatDoNotFollowEachOther() {
    List<ControlRecord> entries = new ArrayList<>(TestingBundles.entries(2));
    entries.remove(1);
    assertThatThrownBy(() -> BundledLog.history(entries, "velo"))
        .isInstanceOf(RuntimeException.class);
    List<ControlRecord> turned = new ArrayList<>(TestingBundles.entries(1));
    turned.add(turned.remove(0));
    assertThatThrownBy(() -> BundledLog.history(turned, "velo"))
        .isInstanceOf(RuntimeException.class);
  }

  @Test
  void knowsHowManyBlocksWereEverGranted() {
    UsedBlocks used = UsedBlocks.of(BundledLog.history(TestingBundles.entries(3), "velo"));
    assertThat(used.next("a", 0)).isEqualTo(24);
    assertThat(used.next("b", 0)).isEqualTo(24);
    assertThat(used.next("c", 0)).isZero();
    assertThat(TestingBundles.entries(3).get(3).getBody()).isInstanceOf(MixtureGrant.class);
  }
}
