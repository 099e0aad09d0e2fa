package io.sluice.lab.reproduce.report;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.claim.Claims;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The three files of a report. The first has all that the second says, so that a page which holds
 * the second can be checked.
 */
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

  /**
   * The report of a {@link #JSON} file, judged again by the claims, without courses.
   *
   * @throws BadInputException if it cannot be read, is no such file, or is of other claims
   */
  public static Report read(Path json, Claims claims) {
    try {
      return ReportReader.read(json.toString(), Files.readAllBytes(json), claims);
    } catch (IOException e) {
      throw new BadInputException("no report that can be read: " + json + ": " + e, e);
    }
  }

  /** What {@link #MARKDOWN} has. */
  public static String markdown(Report report) {
    return ReportMarkdown.text(report);
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
