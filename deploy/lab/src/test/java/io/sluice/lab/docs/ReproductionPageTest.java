package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.reproduce.claim.Claims;
import io.sluice.lab.reproduce.report.Report;
import io.sluice.lab.reproduce.report.ReportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds the pages on the papers' claims against the reports that they are of. */
final class ReproductionPageTest {
  private static final Path DOCS = Path.of("../../docs");
  private static final Pattern AS_CLAIMED =
      Pattern.compile("as (in )?(the|its|their) papers?( says?)?\\b", Pattern.CASE_INSENSITIVE);

  @ParameterizedTest
  @ValueSource(strings = {"reproduction", "reproduction-full"})
  void thePageIsWhatTheReportSaysByTheClaimsOfToday(String page) throws IOException {
    Report report = ReportFiles.read(DOCS.resolve(page + ".json"), Claims.ofPapers());
    assertThat(DOCS.resolve(page + ".md")).hasContent(ReportFiles.markdown(report));
  }

  @Test
  void resultsAreClaimedToBeThePapersOnlyBesideAVerdict() throws IOException {
    for (Path page : new Path[] {Path.of("../../README.md"), DOCS.resolve("policies.md")}) {
      try (Stream<String> lines = Files.lines(page)) {
        assertThat(
                lines
                    .filter(line -> AS_CLAIMED.matcher(line).find())
                    .filter(line -> !line.contains("reproduction.md#")))
            .as(page.toString())
            .isEmpty();
      }
    }
  }
}
