package io.sluice.client.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.error.RankTakenException;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.TestingSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class RankClaimScheduleTest {
  /** A process's view of a log that all write to, with a step at each request. */
  private static final class Log implements ClaimLog {
    private final TestingSchedule schedule;
    private final List<byte[]> messages;
    private int position = -1;

    Log(TestingSchedule schedule, List<byte[]> messages) {
      this.schedule = schedule;
      this.messages = messages;
    }

    @Override
    public void publish(byte[] message) {
      schedule.step("publish");
      synchronized (messages) {
        messages.add(message);
        position = position < 0 ? messages.size() : position;
      }
      schedule.step("published");
    }

    @Override
    public void readOn(Consumer<byte[]> sink) {
      schedule.step("read");
      List<byte[]> found;
      synchronized (messages) {
        found = position < 0 ? List.of() : List.copyOf(messages.subList(position, messages.size()));
        position = position < 0 ? position : messages.size();
      }
      found.forEach(sink);
    }

    @Override
    public void close() {
      // Nothing is held.
    }
  }

  @Test
  void ofAllWhoTakeARankTheLastOneHasIt() {
    TestingSchedule.explore(
        schedule -> {
          List<byte[]> messages = new ArrayList<>();
          List<RankClaim> claims = new ArrayList<>();
          for (int i = 0; i < 3; i++) {
            claims.add(
                new RankClaim(
                    "r-1",
                    TrainerRank.of(0, 1),
                    Set.of(),
                    new Log(schedule, messages),
                    () -> Instant.EPOCH));
          }
          schedule.all(
              () -> claims.get(0).attach(StreamState.start("r-1")),
              claims.get(0)::check,
              () -> claims.get(1).attach(StreamState.start("r-1")),
              claims.get(1)::check,
              () -> claims.get(2).attach(StreamState.start("r-1")));
          claims.forEach(RankClaim::check);
          assertThat(claims.stream().filter(RankClaimScheduleTest::holds)).hasSize(1);
        });
  }

  private static boolean holds(RankClaim claim) {
    try {
      claim.requireHeld();
      return true;
    } catch (RankTakenException e) {
      return false;
    }
  }
}
