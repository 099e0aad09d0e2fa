package io.sluice.control.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetSourcesTest {
  private static final List<String> DOMAINS = List.of("wiki", "code");

  @TempDir Path directory;

  private final List<String> said = new ArrayList<>();

  private TargetSources sources(OptionalDouble fullTokens) {
    return new TargetSources(TargetSourcesTest::history, fullTokens, said::add);
  }

  /** Losses that fall by a law of wiki, and rise of code. */
  private static LossHistory history(String run) {
    TreeMap<Long, LossHistory.Round> rounds = new TreeMap<>();
    for (long step = 0; step <= 60; step += 10) {
      double[] losses = {step == 0 ? 5 : law(step * 100.0), 2 + step / 100.0};
      rounds.put(step, new LossHistory.Round(step * 100.0, losses));
    }
    OptionalDouble end = run.equals("endless") ? OptionalDouble.empty() : OptionalDouble.of(20_000);
    return new LossHistory(DOMAINS, new double[] {.5, .5}, rounds, end, false);
  }

  private static double law(double tokens) {
    return 1.2 + 9 * Math.pow(tokens, -.3);
  }

  @Test
  void fitsTheLossesOfARunForTheTokensOfTheOther() {
    Map<String, String> settings = Map.of("targets.from-run", "proxy", "eta", "2");
    Map<String, String> resolved = sources(OptionalDouble.of(50_000)).resolve(settings, DOMAINS);
    assertThat(resolved).containsOnlyKeys("eta", "targets.wiki", "targets.code");
    assertThat(Double.parseDouble(resolved.get("targets.wiki")))
        .isCloseTo(law(50_000), within(1e-6));
    assertThat(said.get(0))
        .startsWith("target of wiki from proxy: %.4f (95 %% interval ".formatted(law(50_000)));
    assertThat(said.get(1))
        .startsWith("target of code from proxy: 2.6000, its last loss, because the ");
    assertThat(sources(OptionalDouble.empty()).resolve(settings, DOMAINS).get("targets.wiki"))
        .startsWith("%.6f".formatted(law(20_000)).substring(0, 6));
  }

  @Test
  void readsTargetsFromFilesBesidesTheRunsFile() throws IOException {
    Files.writeString(directory.resolve("t.yaml"), "wiki: 2.5\ncode: 1.25\nother: 3\n");
    Files.writeString(
        directory.resolve("fit.json"), "{\"targets\": {\"wiki\": 2.25, \"code\": 1}}");
    TargetSources sources = sources(OptionalDouble.empty());
    for (Map.Entry<String, String> file : Map.of("t.yaml", "2.5", "fit.json", "2.25").entrySet()) {
      Map<String, String> settings =
          TargetSources.besides(
              directory.resolve("run.yaml"), Map.of("targets.file", file.getKey()));
      assertThat(sources.resolve(settings, DOMAINS)).containsEntry("targets.wiki", file.getValue());
    }
    Map<String, String> missing =
        TargetSources.besides(directory.resolve("run.yaml"), Map.of("targets.file", "none.yaml"));
    assertThatThrownBy(() -> sources.resolve(missing, DOMAINS))
        .isInstanceOf(BadInputException.class)
        .hasMessage("no such file: " + directory.resolve("none.yaml"));
    Map<String, String> bad =
        TargetSources.besides(directory.resolve("run.yaml"), Map.of("targets.file", "t.yaml"));
    assertThatThrownBy(() -> sources.resolve(bad, List.of("wiki", "math")))
        .hasMessageContaining("'math' is missing");
  }

  @Test
  void givesEachGroupOfATreeItsOwnTargets() {
    Map<String, String> settings =
        Map.of(
            "groups.g.domains", "wiki",
            "groups.g.policy.velocitune.targets.from-run", "proxy",
            "groups.h.domains", "code",
            "groups.h.policy.velocitune.targets.fraction", "0.8");
    Map<String, String> resolved = sources(OptionalDouble.empty()).resolve(settings, DOMAINS);
    assertThat(resolved)
        .containsOnlyKeys(
            "groups.g.domains",
            "groups.g.policy.velocitune.targets.wiki",
            "groups.h.domains",
            "groups.h.policy.velocitune.target-fraction");
  }

  @Test
  void saysWhatIsMissing() {
    TargetSources sources = sources(OptionalDouble.empty());
    assertThatThrownBy(
            () -> sources.resolve(Map.of("targets.from-run", "proxy"), List.of("wiki", "math")))
        .hasMessage(
            "policy.targets.from-run must have losses of [wiki, math]: proxy has [wiki, code]");
    assertThatThrownBy(() -> sources.resolve(Map.of("targets.from-run", "endless"), DOMAINS))
        .hasMessage(
            "batches must be given for targets by policy.targets.from-run, because neither this run"
                + " nor endless has an end");
  }
}
