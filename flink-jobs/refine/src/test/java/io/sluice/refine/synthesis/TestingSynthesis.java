package io.sluice.refine.synthesis;

import io.sluice.refine.synthesis.qa.Corruption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Seeds, a recipe and time for tests. */
final class TestingSynthesis {
  static final Sampling SAMPLING = new Sampling(.5, 100, 7);

  /** Time that passes while somebody sleeps, and else does not. */
  static final class Time implements InstantSource, Sleeper {
    final List<Duration> slept = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @Override
    public synchronized Instant instant() {
      return now;
    }

    @Override
    public synchronized void sleep(Duration pause) {
      slept.add(pause);
      now = now.plus(pause);
    }
  }

  private TestingSynthesis() {}

  static Recipe recipe() {
    return recipe(0);
  }

  static Recipe recipe(double corruption) {
    return new Recipe(
        new Template("test", "Ask about this: {{document}}"),
        Map.of(),
        "model",
        SAMPLING,
        1000,
        new Corruption(corruption, 3),
        false);
  }

  static Seed seed(int number) {
    return new Seed("seed-" + number, "The text of document number " + number);
  }

  static Pace pace(int concurrency, Time time) {
    return new Pace(concurrency, Pace.UNLIMITED, time, time);
  }

  /** What a model answers that does as it is told. */
  static String answer(String prompt) {
    return "[Problem]\nWhat follows from \""
        + prompt.substring(16)
        + "\"?\n[Solution]\nThat it is 12.";
  }
}
