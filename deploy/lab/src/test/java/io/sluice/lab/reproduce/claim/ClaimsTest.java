package io.sluice.lab.reproduce.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClaimsTest {
  private static final String ONE =
      """
      claims:
        - id: settles-sooner
          paper: velocitune
          where: Figure 3
          says: "It comes to rest sooner."
          experiment: velocitune
          of: velocitune
          against: dynamic-batch-loading
          ratio: 1.5
          measure: settled_share
          direction: lower
          least-effect: 0.1
      """;

  private static Claims parse(String text) {
    return Claims.parse("claims.yaml", text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void readsAClaimWithARatio() {
    Claims claims = parse(ONE);
    assertThat(claims.sha256()).matches("[0-9a-f]{64}");
    Claim claim = claims.all().get(0);
    assertThat(claim.comparison()).isEqualTo(new Comparison.Ratio("dynamic-batch-loading", 1.5));
    assertThat(claim.tested())
        .isEqualTo("velocitune below dynamic-batch-loading / 1.5 in settled_share");
    assertThat(claim.difference()).isEqualTo("1.5 × velocitune − dynamic-batch-loading");
    assertThat(parse(ONE + " ").sha256()).isNotEqualTo(claims.sha256());
  }

  @Test
  void readsAClaimWithAThresholdAndOneOfNoCost() {
    Claim threshold =
        parse(
                ONE.replace("against: dynamic-batch-loading", "threshold: 0.9")
                    .replaceAll(".*ratio.*\n", ""))
            .all()
            .get(0);
    assertThat(threshold.comparison()).isEqualTo(new Comparison.Threshold(0.9));
    assertThat(threshold.tested()).isEqualTo("velocitune below 0.9 in settled_share");
    Claim free =
        parse(ONE.replaceAll(".*ratio.*\n", "").replace("lower", "not-higher")).all().get(0);
    assertThat(free.tested())
        .isEqualTo("velocitune not above dynamic-batch-loading in settled_share");
  }

  @Test
  void thePapersClaimsAreRead() {
    Claims claims = Claims.ofPapers();
    assertThat(claims.all()).hasSizeGreaterThan(40);
    assertThat(claims.all().stream().map(Claim::experiment).collect(Collectors.toSet()))
        .isEqualTo(
            Set.of(
                "velocitune", "dga", "dga-dist", "syne", "syne-synthetic", "ordering", "policies"));
    assertThat(claims.all().stream().map(Claim::paper).collect(Collectors.toSet()))
        .isEqualTo(Set.of(Paper.values()));
    assertThat(claims.of("ordering")).extracting(Claim::of).containsOnly("velocitune");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paper: velocitune | paper: doremi | 'claims[0].paper' must be one of velocitune,",
        "direction: lower | direction: left | 'claims[0].direction' must be one of lower, higher,",
        "direction: lower | direction: not-lower | must be lower or higher, with a ratio",
        "least-effect: 0.1 | least-effect: 0 | 'claims[0].least-effect' must be above 0",
        "least-effect: 0.1 | least-effect: -1 | must be a number from 0.0 to 1.0E12: found '-1'",
        "least-effect: 0.1 | least: 0.1 | 'claims[0].least-effect' is missing",
        "ratio: 1.5 | ratio: 1 | 'claims[0].ratio' must be above 1: found '1'",
        "ratio: 1.5 | threshold: 3 | 'claims[0].against' must be left out where there is a threshold",
        "of: velocitune | of: dynamic-batch-loading | must be another arm than 'dynamic-batch-loading'",
        "of: velocitune | of: <b> | 'claims[0].of' must be letters, digits and",
        "id: settles-sooner | id: a b | 'claims[0].id' must be letters, digits and",
        "where: Figure 3 | where: \"a\\nb\" | must be one line of at most 400 characters",
        "where: Figure 3 | page: 3 | 'claims[0].where' is missing",
        "where: Figure 3 | 'where: Figure 3\n    page: 3' | unknown key 'claims[0].page'",
        "claims: | claim: | 'claims' is missing",
      })
  void whatIsWrongIsNamed(String right, String wrong, String message) {
    assertThatThrownBy(() -> parse(ONE.replace(right, wrong)))
        .isInstanceOf(BadInputException.class)
        .hasMessageStartingWith("claims.yaml: ")
        .hasMessageContaining(message);
  }

  @Test
  void anIdIsOfOneClaim() {
    String second = ONE.substring(ONE.indexOf('\n') + 1);
    assertThatThrownBy(() -> parse(ONE + second))
        .hasMessageContaining("'claims[1].id' must be that of one claim alone");
  }
}
