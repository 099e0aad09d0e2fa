package io.sluice.refine.synthesis;

import static io.sluice.refine.synthesis.TestingSynthesis.SAMPLING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.refine.synthesis.TestingSynthesis.Time;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PaceTest {
  private static final Request REQUEST = new Request("m", "p", SAMPLING);
  private final Time time = new Time();

  @Test
  void requestsBeginAsManyAMinuteAsAreAllowed() throws InterruptedException {
    Pace pace = new Pace(4, 60, time, time);
    for (int i = 0; i < 3; i++) {
      pace.ask(request -> new Reply.Refused(""), REQUEST);
    }

    assertThat(time.slept).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  @Test
  void allWaitAsLongAsTheEndpointWants() throws InterruptedException {
    Pace pace = new Pace(4, Pace.UNLIMITED, time, time);
    Duration wish = Duration.ofSeconds(9);
    pace.ask(request -> new Reply.Failed("busy", Optional.of(wish), true), REQUEST);
    pace.ask(request -> new Reply.Refused(""), REQUEST);

    assertThat(time.slept).containsExactly(wish);
  }

  @Test
  void nobodyWaitsForDaysBecauseTheEndpointWantsThat() throws InterruptedException {
    Pace pace = new Pace(4, Pace.UNLIMITED, time, time);
    pace.ask(request -> failed(999_999_999), REQUEST);
    pace.ask(request -> new Reply.Refused(""), REQUEST);

    assertThat(time.slept).isEmpty();
  }

  @Test
  void pausesDoubleAndAreTheSameForTheSameSeed() {
    Tries tries = new Tries(5, Duration.ofSeconds(8), Duration.ofSeconds(20), 1);
    RequestKey key = REQUEST.key();

    assertThat(tries.pause(key, 1, failed(0)).orElseThrow())
        .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8))
        .isEqualTo(tries.pause(key, 1, failed(0)).orElseThrow())
        .isNotEqualTo(
            new Tries(5, Duration.ofSeconds(8), Duration.ofSeconds(20), 2)
                .pause(key, 1, failed(0))
                .orElseThrow());
    assertThat(tries.pause(key, 4, failed(0))).contains(Duration.ofSeconds(20));
    assertThat(tries.pause(key, 1, failed(99))).contains(Duration.ofSeconds(99));
    assertThat(tries.pause(key, 5, failed(0))).isEmpty();
    assertThat(tries.pause(key, 1, failed(3600))).isEmpty();
  }

  @Test
  void budgetsWaitForWhatIsReserved() throws InterruptedException {
    TokenBudget budget = new TokenBudget(100, 10);
    assertThat(budget.reserve(60)).isTrue();
    Thread settling = new Thread(() -> budget.settle(60, 20));
    settling.start();

    assertThat(budget.reserve(70)).isTrue();
    settling.join();
    budget.settle(70, 70);
    assertThat(budget.reserve(1)).isFalse();
    assertThat(budget.spent()).isEqualTo(100);
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatThrownBy(() -> new Pace(0, 1, time, time))
        .hasMessage("--concurrency must be from 1 to 1024: 0");
    assertThatThrownBy(() -> new Pace(1, -1, time, time))
        .hasMessage("--rate must be from 1 to 1000000 a minute: -1");
    assertThatThrownBy(() -> Tries.usual(0, 1)).hasMessage("--tries must be from 1 to 100: 0");
    assertThatThrownBy(() -> new TokenBudget(0, 0))
        .hasMessage("--budget-tokens must be at least 1: 0");
  }

  private static Reply.Failed failed(long after) {
    return new Reply.Failed("busy", Optional.of(Duration.ofSeconds(after)), true);
  }
}
