package io.sluice.control.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.DomainStanding;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TokenSharesTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(1);
  private static final DomainStanding WIKI = standing("wiki", true, 50, 750, true);

  private final List<String> said = new ArrayList<>();

  @Test
  void waitsUntilEveryDomainIsPreparedToItsEndAndSaysWhatTheyHave() {
    Weights weights =
        await(
            LONG,
            List.of(
                List.of(standing("docs", true, 8, 10, false), standing("wiki", true, 0, 0, false)),
                List.of(standing("docs", true, 9, 12, false), WIKI),
                List.of(standing("docs", true, 50, 250, true), WIKI)));
    assertThat(weights.shares()).containsExactly(.25, .75);
    assertThat(said)
        .containsExactly(
            "waits until docs is prepared (8 of 50 documents), wiki is prepared (0 of 50 documents)",
            "waits until docs is prepared (9 of 50 documents)",
            "  domain                            tokens    weight",
            "  docs                                 250  0.250000",
            "  wiki                                 750  0.750000");
  }

  @Test
  void refusesDomainsThatGrow() {
    assertThatThrownBy(
            () -> await(LONG, List.of(List.of(standing("docs", false, 50, 250, false), WIKI))))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "initial-weights: token-proportional needs every domain prepared to its end: no end"
                + " marker has docs. Mark where one ends with 'sluice ingest --domain docs --end',"
                + " or state a weight for each domain");
  }

  @Test
  void waitsForNothingWithoutPatience() {
    assertThatThrownBy(
            () ->
                await(Duration.ZERO, List.of(List.of(standing("docs", true, 8, 10, false), WIKI))))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "initial-weights: token-proportional needs every domain prepared to its end: 'run"
                + " apply' waits until docs is prepared (8 of 50 documents)");
  }

  @Test
  void givesUpWherePreparingStandsStill() {
    assertThatThrownBy(
            () -> await(SHORT, List.of(List.of(standing("docs", true, 8, 10, false), WIKI))))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("preparing has stood still for 0 s before docs is prepared (8 of 50")
        .hasMessageEndingWith("Is the dataset's PrepareJob running?");
  }

  /** Each look shows the next of these, and then the last one for ever. */
  private Weights await(Duration patience, List<List<DomainStanding>> looks) {
    Deque<List<DomainStanding>> left = new ArrayDeque<>(looks);
    TokenShares shares = new TokenShares(new InitialWeights.TokenProportional());
    return shares.await(
        () -> Objects.requireNonNull(left.size() > 1 ? left.poll() : left.peek()),
        patience,
        said::add);
  }

  /** A domain of which 50 documents were written. */
  private static DomainStanding standing(
      String domain, boolean marked, long documents, long tokens, boolean ended) {
    Supply supply =
        Supply.newBuilder()
            .setDataset("small")
            .setFingerprint(1)
            .setDomain(domain)
            .setBlocks(tokens / 10)
            .setEvalBlocks(0)
            .setTrainedTokens(tokens)
            .setDocuments(documents)
            .setEnded(ended)
            .build();
    return new DomainStanding(domain, new CorpusEnd(marked ? 51 : 50, marked), Optional.of(supply));
  }
}
