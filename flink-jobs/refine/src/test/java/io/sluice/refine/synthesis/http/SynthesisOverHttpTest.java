package io.sluice.refine.synthesis.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Pace;
import io.sluice.refine.synthesis.Recipe;
import io.sluice.refine.synthesis.RequestKey;
import io.sluice.refine.synthesis.Sampling;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Synthesizer;
import io.sluice.refine.synthesis.Tally;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.TokenBudget;
import io.sluice.refine.synthesis.Tries;
import io.sluice.refine.synthesis.qa.Corruption;
import io.sluice.refine.synthesis.store.AnswerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that misbehaves in turn, and processes that die at any step. */
final class SynthesisOverHttpTest {
  private static final int SEEDS = 18;
  private static final int SCHEDULES = Boolean.getBoolean("sluice.full") ? 400 : 4;
  private static final Recipe RECIPE =
      new Recipe(
          Template.of("code"),
          Map.of(),
          "model",
          new Sampling(.5, 60, 7),
          1000,
          new Corruption(.5, 7),
          false);

  @TempDir private Path folder;

  @Test
  void whoIsKilledTwiceEndsAsWhoWasNot() throws Exception {
    List<Outcome> undisturbed = new ArrayList<>();
    try (TestingModel model = misbehaving()) {
      Endpoint endpoint = endpoint(model);
      Path answers = folder.resolve("undisturbed");
      Tally tally = run(endpoint, answers, alive(), TokenBudget.UNLIMITED, undisturbed);
      assertThat(tally.made()).isEqualTo(12);
      assertThat(tally.refused())
          .isEqualTo(Map.of("answer: no pairs", 3L, "refused by the endpoint", 3L));
      assertThat(spent(answers)).isGreaterThanOrEqualTo(model.spent());
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int schedule = 0; schedule < SCHEDULES; schedule++) {
      Path answers = folder.resolve("killed-" + schedule);
      Set<RequestKey> kept = KilledSynthesis.nothingKept();
      try (TestingModel model = misbehaving()) {
        Endpoint endpoint = endpoint(model);
        for (int kill = 0; kill < 2; kill++) {
          KilledSynthesis process = KilledSynthesis.after(random.nextInt(90), kept);
          List<Outcome> before = new ArrayList<>();
          killed(endpoint, answers, process, before);
          assertThat(before).isEqualTo(undisturbed.subList(0, before.size()));
          tear(answers, random);
        }
        List<Outcome> last = new ArrayList<>();
        KilledSynthesis process = KilledSynthesis.after(Integer.MAX_VALUE, kept);
        run(endpoint, answers, process, TokenBudget.UNLIMITED, last);
        assertThat(last).as("schedule %d", schedule).isEqualTo(undisturbed);
        assertThat(spent(answers)).isGreaterThanOrEqualTo(model.spent());
        int asked = model.asks();
        run(endpoint, answers, process, TokenBudget.UNLIMITED, new ArrayList<>());
        assertThat(model.asks()).isEqualTo(asked);
      }
    }
  }

  @Test
  void theServerNeverCountsMoreThanTheBudget() throws Exception {
    SplittableRandom random = new SplittableRandom(2);
    for (long budget = 500; budget < 6000; budget += 1100) {
      Path answers = folder.resolve("budget-" + budget);
      Set<RequestKey> kept = KilledSynthesis.nothingKept();
      try (TestingModel model = misbehaving()) {
        Endpoint endpoint = endpoint(model);
        for (int life = 0; life < 3; life++) {
          int steps = life == 2 ? Integer.MAX_VALUE : random.nextInt(60);
          List<Outcome> outcomes = new ArrayList<>();
          try {
            Tally tally =
                run(endpoint, answers, KilledSynthesis.after(steps, kept), budget, outcomes);
            assertThat(tally.seeds() + tally.left()).isEqualTo(SEEDS);
          } catch (KilledSynthesis.Killed e) {
            tear(answers, random);
          }
          assertThat(model.spent()).isLessThanOrEqualTo(budget);
          assertThat(spent(answers)).isBetween(model.spent(), budget);
        }
      }
    }
  }

  private static void killed(
      Endpoint endpoint, Path answers, KilledSynthesis process, List<Outcome> outcomes)
      throws Exception {
    try {
      run(endpoint, answers, process, TokenBudget.UNLIMITED, outcomes);
    } catch (KilledSynthesis.Killed e) {
      // As it should be, unless it had fewer steps to go.
    }
  }

  private static Tally run(
      Endpoint endpoint, Path answers, KilledSynthesis process, long budget, List<Outcome> outcomes)
      throws InterruptedException {
    try (AnswerFile store = AnswerFile.open(answers);
        Synthesizer synthesizer =
            new Synthesizer(
                RECIPE,
                process.endpoint(endpoint),
                process.store(store),
                new TokenBudget(budget, store.spent()),
                new Pace(3, Pace.UNLIMITED, InstantSource.system(), pause -> {}),
                Tries.usual(4, 1),
                false,
                outcomes::add)) {
      for (int i = 0; i < SEEDS; i++) {
        synthesizer.accept(new Seed("seed-" + i, "number " + i));
      }
      return synthesizer.finish();
    }
  }

  /** What a process that was killed, or its machine, may leave of the line that it was writing. */
  private static void tear(Path answers, SplittableRandom random) throws IOException {
    if (Files.size(answers) > 0) {
      String line = "0123abcd {\"key\":\"" + "a".repeat(64) + "\",\"tokens\":12";
      String torn = line.substring(0, random.nextInt(line.length()));
      Files.writeString(answers, torn, StandardOpenOption.APPEND);
    }
  }

  private static long spent(Path answers) {
    try (AnswerFile store = AnswerFile.open(answers)) {
      return store.spent();
    }
  }

  private static Endpoint endpoint(TestingModel model) {
    return new HttpEndpoint(
        model.url(), Optional.empty(), Duration.ofMinutes(1), InstantSource.system());
  }

  private static KilledSynthesis alive() {
    return KilledSynthesis.after(Integer.MAX_VALUE, KilledSynthesis.nothingKept());
  }

  /** Of six prompts, four are answered in the end, one never in the form, one not at all. */
  private static TestingModel misbehaving() {
    Map<String, Integer> attempts = new ConcurrentHashMap<>();
    return new TestingModel(
        (model, n, request, to) -> {
          String prompt = TestingModel.prompt(request);
          int number = Integer.parseInt(prompt.replaceAll("(?s).*number (\\d+).*", "$1"));
          boolean first = KilledSynthesis.attempt(attempts, prompt) == 1;
          answer(model, number, first, request, to);
        });
  }

  private static void answer(
      TestingModel model, int number, boolean first, JsonNode request, HttpExchange to)
      throws IOException {
    int manner = number % 6;
    if (manner == 0 && first) {
      to.getResponseHeaders().add("Retry-After", "3");
      TestingModel.send(to, 429, "");
    } else if (manner == 1 && first) {
      TestingModel.send(to, 500, "{\"error\": {\"message\": \"out of memory\"}}");
    } else if (manner == 2 && first) {
      byte[] body = model.completion(request, "[Problem]");
      to.sendResponseHeaders(200, body.length);
      to.getResponseBody().write(body, 0, body.length / 2);
      to.getResponseBody().flush();
      throw new IOException("broken off");
    } else if (manner == 3) {
      TestingModel.send(to, 400, "{\"error\": {\"message\": \"too long\"}}");
    } else if (manner == 4) {
      model.complete(request, to, "Nothing of what was asked for.");
    } else {
      model.complete(
          request,
          to,
          "[Problem]\nWhat is " + number + " and 1?\n[Solution]\nIt is " + (number + 1));
    }
  }
}
