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

/** Holds the page on the papers' claims against the report that it is of. */
final class ReproductionPageTest {
  private static final Path DOCS = Path.of("../../docs");
  private static final Pattern AS_CLAIMED =
      Pattern.compile("as (in )?(the|its|their) papers?( says?)?\\b", Pattern.CASE_INSENSITIVE);

  @Test
  void thePageIsWhatTheReportSaysByTheClaimsOfToday() throws IOException {
    Report report = ReportFiles.read(DOCS.resolve("reproduction.json"), Claims.ofPapers());
    assertThat(DOCS.resolve("reproduction.md")).hasContent(ReportFiles.markdown(report));
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
