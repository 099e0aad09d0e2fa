package io.sluice.lab.reproduce.report;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The three files of a report. */
public final class ReportFiles {
  /** For programs. */
  public static final String JSON = "report.json";

  /** For people. */
  public static final String MARKDOWN = "report.md";

  /** For people, with pictures. */
  public static final String HTML = "report.html";

  private ReportFiles() {}

  /**
   * Writes the report into a folder, which is made if there is none; files that are there are
   * replaced.
   *
   * @throws BadInputException if they cannot be written
   */
  public static void write(Report report, Path folder) {
    try {
      Files.createDirectories(folder);
      write(folder.resolve(JSON), ReportJson.text(report));
      write(folder.resolve(MARKDOWN), ReportMarkdown.text(report));
      write(folder.resolve(HTML), ReportHtml.text(report));
    } catch (IOException e) {
      throw new BadInputException(
          "--out must be a folder that can be written: " + folder + ": " + e, e);
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
