package io.sluice.refine.synthesis;

import static io.sluice.refine.synthesis.TestingSynthesis.answer;
import static io.sluice.refine.synthesis.TestingSynthesis.recipe;
import static io.sluice.refine.synthesis.TestingSynthesis.seed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.refine.synthesis.TestingSynthesis.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SynthesizerTest {
  private static final Tries TRIES = Tries.usual(3, 1);
  private final Time time = new Time();
  private final TestingStore store = new TestingStore();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final AtomicInteger asks = new AtomicInteger();

  @Test
  void handsOnInTheSeedsOrderWhateverTheAnswersOrderIs() throws Exception {
    CyclicBarrier together = new CyclicBarrier(4);
    Tally tally =
        run(
            4,
            TokenBudget.UNLIMITED,
            8,
            request -> {
              try {
                together.await();
              } catch (BrokenBarrierException e) {
                throw new IllegalStateException(e);
              }
              return answered(request);
            });

    assertThat(outcomes.stream().map(Outcome::seed))
        .containsExactlyElementsOf(IntStream.range(0, 8).mapToObj(i -> "seed-" + i).toList());
    assertThat(tally).isEqualTo(new Tally(8, 8, 0, 8, Map.of(), 0));
    Outcome.Made made = (Outcome.Made) outcomes.get(0);
    assertThat(made.text())
        .isEqualTo("What follows from \"The text of document number 0\"?\n\nThat it is 12.");
    assertThat(made.properties())
        .containsEntry("synthesis-template", "test")
        .containsEntry("synthesis-model", "model")
        .containsEntry("synthesis-seed", "seed-0")
        .containsEntry("synthesis-rule", "false")
        .containsEntry("synthesis-corruption", "0.0")
        .hasEntrySatisfying(
            "synthesis-request", key -> assertThat(made.id()).startsWith("qa-" + key))
        .hasEntrySatisfying("synthesis-template-hash", hash -> assertThat(hash).hasSize(64));
  }

  @Test
  void whatIsInTheStoreIsNotAsked() throws InterruptedException {
    run(2, TokenBudget.UNLIMITED, 5, this::answered);
    List<Outcome> first = List.copyOf(outcomes);
    outcomes.clear();
    Tally tally = run(2, TokenBudget.UNLIMITED, 7, this::answered);

    assertThat(asks).hasValue(7);
    assertThat(tally).isEqualTo(new Tally(7, 2, 5, 7, Map.of(), 0));
    assertThat(outcomes).startsWith(first.toArray(Outcome[]::new));
  }

  @Test
  void asksTheSameOnce() throws InterruptedException {
    try (Synthesizer made = synthesizer(2, TokenBudget.UNLIMITED, TRIES, false, this::answered)) {
      made.accept(new Seed("a", "same"));
      made.accept(new Seed("b", "same"));
      assertThat(made.finish().refused()).isEqualTo(Map.of("asks what another seed asks", 1L));
    }
    assertThat(asks).hasValue(1);
  }

  @Test
  void endsWithTheFirstSeedThatTheBudgetHasTooFewTokensFor() throws InterruptedException {
    // Each may cost some 131 tokens, and costs 40.
    Tally tally = run(4, 400, 20, this::answered);

    assertThat(tally.made()).isEqualTo(7);
    assertThat(tally.left()).isEqualTo(13);
    assertThat(store.spent()).isEqualTo(280);
    outcomes.clear();
    assertThat(run(1, 401 + 40, 20, this::answered).made()).isEqualTo(8);
  }

  @Test
  void triesAgainWhatMayPassAndCountsWhatItMayHaveCost() throws InterruptedException {
    Tally tally =
        run(
            1,
            1000,
            1,
            request ->
                switch (asks.incrementAndGet()) {
                  case 1 -> new Reply.Failed("busy", Optional.of(Duration.ofSeconds(5)), true);
                  case 2 -> new Reply.Failed("broken off", Optional.empty(), false);
                  default -> reply(request);
                });

    assertThat(tally.made()).isEqualTo(1);
    long mayCost = recipe().request(seed(0)).mostTokens();
    assertThat(store.spent()).isEqualTo(mayCost + 40);
    assertThat(time.slept.get(0)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void whatFailsAtAllTriesEndsTheWorkOrIsRefused() throws InterruptedException {
    Endpoint down = request -> new Reply.Failed("connection refused", Optional.empty(), true);

    assertThatThrownBy(() -> run(2, TokenBudget.UNLIMITED, 3, down))
        .isInstanceOf(UnreachableException.class)
        .hasMessage("the endpoint does not answer: connection refused");
    assertThat(store.replies).isEmpty();
    try (Synthesizer made = synthesizer(1, TokenBudget.UNLIMITED, TRIES, true, down)) {
      made.accept(seed(1));
      assertThat(made.finish().refused()).isEqualTo(Map.of("refused by the endpoint", 1L));
    }
    assertThat(((Outcome.Refused) outcomes.get(0)).detail())
        .isEqualTo("failed 3 times: connection refused");
    assertThat(store.spent()).isZero();
  }

  @Test
  void whoWantsToBeLeftAloneForLongEndsTheWorkAtOnce() {
    Endpoint closed =
        request -> {
          asks.incrementAndGet();
          return new Reply.Failed("over quota", Optional.of(Duration.ofHours(3)), true);
        };
    try (Synthesizer made = synthesizer(1, TokenBudget.UNLIMITED, TRIES, true, closed)) {
      assertThatThrownBy(
              () -> {
                made.accept(seed(1));
                made.finish();
              })
          .hasMessage(
              "the endpoint does not answer: over quota; it wants to be left alone for 10800 s");
    }
    assertThat(asks).hasValue(1);
    assertThat(store.replies).isEmpty();
  }

  @Test
  void triesThatMayHaveCostAreNotMadeBeyondTheBudget() throws InterruptedException {
    long mayCost = recipe().request(seed(0)).mostTokens();
    Tally tally =
        run(
            1,
            2 * mayCost + 1,
            2,
            request -> {
              asks.incrementAndGet();
              return new Reply.Failed("broken off", Optional.empty(), false);
            });

    assertThat(asks).hasValue(2);
    assertThat(store.spent()).isEqualTo(2 * mayCost);
    assertThat(tally.left()).isEqualTo(2);
    assertThat(outcomes).isEmpty();
  }

  /** Whose reservation never came back, others would wait for. */
  @Test
  void whatEndsEverythingIsToldAlthoughTheBudgetIsReserved() {
    Endpoint unknown =
        request -> {
          throw new BadInputException("no such model");
        };

    assertThatThrownBy(() -> run(2, 300, 20, unknown)).hasMessage("no such model");
    assertThat(store.spent()).as("nobody works for who has a wrong key").isZero();
  }

  @Test
  void countsWhyThereIsNoDocument() throws InterruptedException {
    List<String> answers =
        List.of(
            "I'm sorry, but I cannot help with that.", "No form at all.", answer("x".repeat(20)));
    Tally tally =
        run(
            1,
            TokenBudget.UNLIMITED,
            3,
            request ->
                new Reply.Answered(answers.get(asks.getAndIncrement()), false, Optional.empty()));

    assertThat(tally.refused())
        .isEqualTo(Map.of("answer: model declines", 1L, "answer: no pairs", 1L));
    assertThat(tally.made()).isEqualTo(1);
  }

  private Tally run(int concurrency, long budget, int seeds, Endpoint endpoint)
      throws InterruptedException {
    try (Synthesizer made = synthesizer(concurrency, budget, TRIES, false, endpoint)) {
      for (int i = 0; i < seeds; i++) {
        made.accept(seed(i));
      }
      return made.finish();
    }
  }

  private Synthesizer synthesizer(
      int concurrency, long budget, Tries tries, boolean refuseFailed, Endpoint endpoint) {
    return new Synthesizer(
        recipe(),
        endpoint,
        store,
        new TokenBudget(budget, store.spent()),
        TestingSynthesis.pace(concurrency, time),
        tries,
        refuseFailed,
        outcomes::add);
  }

  private Reply answered(Request request) {
    asks.incrementAndGet();
    return reply(request);
  }

  private static Reply reply(Request request) {
    return new Reply.Answered(answer(request.prompt()), false, Optional.of(40L));
  }
}
