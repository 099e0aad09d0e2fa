package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody who goes through the page on making domains, line by line, with the files it has: the
 * first of its pipelines, and all of them in the full test. Lines that are no shell's need files of
 * the reader's own.
 */
class DomainsPageIT {
  private static final boolean FULL = Boolean.getBoolean("sluice.full");

  @TempDir private Path directory;

  @Test
  void everyLineDoesWhatThePageSays() throws IOException {
    MarkdownPage page = DocsPage.read("domains.md");
    try (Newcomer person = new Newcomer(directory)) {
      link(person, "java", "flink-jobs/jobs/src");
      link(person, "python", "trainer-bridge/python/src");
      link(person, "pages", "docs");
      Path out = person.file("up.out");
      Process service = person.start("./sluice up --port 0", out);
      Newcomer.awaitOutput(service, out, text -> text.contains("sluice: ready"));
      Map<String, String> said = new LinkedHashMap<>();
      List<String> sections =
          page.sections().keySet().stream()
              .filter(section -> !page.blocks(section).isEmpty())
              .limit(FULL ? Integer.MAX_VALUE : 1)
              .toList();
      for (String section : sections) {
        for (Block block : page.blocks(section)) {
          if (block.language().equals("yaml")) {
            Files.writeString(block.file(directory), block.text());
          } else if (block.language().equals("sh")) {
            for (String line : block.text().lines().toList()) {
              said.put(line, person.types(line));
            }
          }
        }
      }
      requireWhole(said);
    }
  }

  private static void requireWhole(Map<String, String> said) {
    assertThat(said.get("./sluice refine show topics --dropped 5"))
        .contains("; ended", "near duplicate", "web-java", "web-python", "web-prose");
    if (FULL) {
      assertThat(said.get("./sluice refine show hard")).contains("; ended", "ppl-2", "borders at");
      assertThat(said.get("./sluice refine show pool"))
          .contains("; ended", "pool-3", "filters for");
      assertThat(said.get("./sluice refine show basis --dropped 5"))
          .contains("; ended", "not drawn", "duplicate of a target of exam:", "basis-prose")
          .contains("exam-steers", "exam-tests");
      assertThat(said.get("./sluice run regroup by-topic --from web-java --into ppl-0,ppl-1,ppl-2"))
          .contains("web-java into ppl-0 at 0.", "web-java=0.000000");
    }
    int pipelines = FULL ? 5 : 1;
    assertThat(said.keySet().stream().filter(line -> line.contains(" audit ")))
        .hasSize(pipelines)
        .allSatisfy(line -> assertThat(said.get(line)).contains("passed"));
    assertThat(said.keySet().stream().filter(line -> line.contains(" trainer ")))
        .hasSize(FULL ? pipelines + 1 : 1)
        .allSatisfy(line -> assertThat(said.get(line)).contains("done: trained steps "));
  }

  private static void link(Newcomer person, String name, String folder) throws IOException {
    Files.createSymbolicLink(person.file(name), Newcomer.project(folder).toRealPath());
  }
}
