package io.sluice.client.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.error.RankTakenException;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RankClaimTest {
  private static final Set<String> MEASURED = Set.of(Measurement.EVAL_LOSS);

  private final TestingClaims log = new TestingClaims();

  @Test
  void saysWhatItTakesAndWhatItMeasures() {
    claim(TrainerRank.of(3, 8).withReplica(1)).attach(new StreamState("r-1", 2, 30, 960));
    TrainerAttached said = WireCodec.decode(TrainerAttached.class, log.get(0));
    assertThat(said.getRunId()).isEqualTo("r-1");
    assertThat(said.getTimeline()).isEqualTo(2);
    assertThat(said.getBatch()).isEqualTo(30);
    assertThat(List.of(said.getWorldSize(), said.getRank(), said.getReplica()))
        .containsExactly(8, 3, 1);
    assertThat(said.getPid()).isEqualTo(ProcessHandle.current().pid());
    assertThat(said.getHost()).isNotBlank();
    assertThat(said.getMetrics()).containsExactly("eval_loss");
    assertThat(said.getTimeMillis()).isEqualTo(42);
  }

  @Test
  void theNewestHolderHasTheRankAndTheOlderIsToldWhoTookIt() {
    RankClaim first = claim(TrainerRank.of(1, 4));
    RankClaim second = claim(TrainerRank.of(1, 4));
    first.attach(start());
    log.append(new byte[] {1, 2});
    log.append(WireCodec.encode(new TrainerProgress("r-1", 0, 1L, 1L, 4, 1, -1L, 1L, null, null)));
    first.check();
    first.requireHeld();
    second.attach(start());
    first.check();
    second.check();
    second.requireHeld();
    assertThatThrownBy(first::requireHeld)
        .isInstanceOfSatisfying(
            RankTakenException.class,
            taken -> {
              assertThat(taken.pid()).isEqualTo(ProcessHandle.current().pid());
              assertThat(taken.host()).isNotBlank();
            })
        .hasMessageStartingWith("rank 1 of 4 of run r-1 was taken by process ")
        .hasMessageEndingWith(
            " at 1970-01-01T00:00:00.042Z: stop one of the two, or give each a rank, replica or run"
                + " of its own");
  }

  @Test
  void otherRanksReplicasAndRunsAndItsOwnSeeksTakeNothing() {
    RankClaim claim = claim(TrainerRank.of(1, 4));
    claim.attach(start());
    claim(TrainerRank.of(2, 4)).attach(start());
    claim(TrainerRank.of(1, 4).withReplica(1)).attach(start());
    new RankClaim("r-2", TrainerRank.of(1, 4), MEASURED, log.open(), InstantSource.system())
        .attach(StreamState.start("r-2"));
    claim.attach(new StreamState("r-1", 0, 5, 40));
    claim.check();
    claim.requireHeld();
    assertThat(log.size()).isEqualTo(5);
  }

  /** What a trainer finds that crashed and was started again. */
  @Test
  void claimsBeforeItsOwnDoNotMatter() {
    claim(TrainerRank.single()).attach(start());
    RankClaim again = claim(TrainerRank.single());
    again.attach(start());
    again.check();
    again.requireHeld();
    assertThat(log.size()).isEqualTo(2);
  }

  private RankClaim claim(TrainerRank rank) {
    return new RankClaim(
        "r-1", rank, MEASURED, log.open(), InstantSource.fixed(Instant.ofEpochMilli(42)));
  }

  private static StreamState start() {
    return StreamState.start("r-1");
  }
}
