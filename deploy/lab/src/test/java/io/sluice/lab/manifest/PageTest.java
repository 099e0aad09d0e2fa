package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.docs.MarkdownPage;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the page of {@code deploy} tells people to type is taken, and leads to a training. */
class PageTest {
  private static final MarkdownPage PAGE = MarkdownPage.read(Manifests.DEPLOY.resolve("README.md"));

  /** A command of Sluice, however it is reached, without what its input is. */
  private static final Pattern COMMAND =
      Pattern.compile("(?:docker compose run --rm |\\$SLUICE/bin/)?sluice ([a-z][^#<|]*).*");

  private static final Pattern NAMED = Pattern.compile("deploy/(\\S+)|jobset (\\S+)");

  @ParameterizedTest
  @ValueSource(strings = {"Compose", "Kubernetes", "Slurm"})
  void aRunIsAppliedOnceItsDatasetHasDocuments(String section) {
    List<List<String>> commands = commands(section);
    assertThat(commands)
        .allSatisfy(given -> assertThat(Arguments.problemOfCommand(given)).isEmpty());
    assertThat(commands.stream().map(given -> given.get(0)).distinct())
        .startsWith("dataset", "ingest", "run");
  }

  @Test
  void whoTrainsIsResumedLast() {
    String text = PAGE.blocks("Kubernetes").get(0).text();
    assertThat(text.indexOf("jobset")).isGreaterThan(text.indexOf("sluice run apply"));
    assertThat(Arguments.ofTrainers("dev").findFirst().orElseThrow()).contains("--run=velo-small");
  }

  @Test
  void whatKubectlIsAskedForIsThere() {
    List<String> names =
        Stream.of("Deployment", "JobSet")
            .flatMap(kind -> Manifests.of("dev", kind).stream())
            .map(Manifests::name)
            .toList();
    List<String> lines =
        lines("Kubernetes").filter(line -> line.contains("kubectl ")).skip(1).toList();
    assertThat(lines)
        .hasSizeGreaterThan(3)
        .allSatisfy(
            line -> {
              Matcher named = NAMED.matcher(line);
              assertThat(named.find()).as(line).isTrue();
              assertThat(names).contains(named.group(1) == null ? named.group(2) : named.group(1));
              assertThat(line).contains("-n " + Manifests.name(Manifests.only("dev", "Namespace")));
            });
  }

  private static Stream<String> lines(String section) {
    return PAGE.blocks(section).stream().flatMap(block -> block.text().lines());
  }

  private static List<List<String>> commands(String section) {
    return lines(section)
        .map(COMMAND::matcher)
        .filter(Matcher::matches)
        .map(command -> List.of(command.group(1).strip().split(" +", 0)))
        .toList();
  }
}
