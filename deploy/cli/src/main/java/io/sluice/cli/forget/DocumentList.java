package io.sluice.cli.forget;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.DocumentName;
import io.sluice.control.line.Line;
import io.sluice.control.line.LineReader;
import io.sluice.control.line.RefusedException;
import io.sluice.schema.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The documents that a file names, a line each. */
final class DocumentList {
  /** Most documents of a file. */
  static final int MOST = 1_000_000;

  private static final int LINE_BYTES = 8 * Limits.DOCUMENT_ID_BYTES;
  private static final int MOST_SHOWN = 20;

  private DocumentList() {}

  /**
   * Reads a file; {@code -} is the standard input.
   *
   * @throws BadInputException naming the lines that name no document; one is enough to refuse all
   */
  static Set<DocumentName> read(String file) {
    try (InputStream in = file.equals("-") ? System.in : Files.newInputStream(Path.of(file))) {
      return read(in, file);
    } catch (IOException e) {
      throw new BadInputException("FILE must be a file that can be read: " + file + ": " + e, e);
    }
  }

  static Set<DocumentName> read(InputStream in, String file) throws IOException {
    LineReader lines = new LineReader(in, LINE_BYTES, LINE_BYTES);
    Set<DocumentName> named = new LinkedHashSet<>();
    List<String> bad = new ArrayList<>();
    long refused = 0;
    for (Line line = lines.next(); line != null; line = lines.next()) {
      try {
        DocumentName.of(line).ifPresent(named::add);
      } catch (RefusedException e) {
        refused++;
        if (bad.size() < MOST_SHOWN) {
          bad.add("line " + line.number() + ": " + e.getMessage());
        }
      }
      if (named.size() > MOST) {
        throw new BadInputException(
            "FILE must name at most " + MOST + " documents: " + file + " has more");
      }
    }
    if (refused > 0) {
      throw new BadInputException(
          file
              + " names no document in "
              + refused
              + (refused == 1 ? " line: " : " lines: ")
              + String.join("; ", bad)
              + (refused > bad.size() ? "; and so on" : "")
              + ". Nothing was forgotten");
    }
    if (named.isEmpty()) {
      throw new BadInputException("FILE must name a document: " + file + " names none");
    }
    return named;
  }
}
