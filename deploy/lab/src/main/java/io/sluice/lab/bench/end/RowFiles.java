package io.sluice.lab.bench.end;

import io.sluice.lab.bench.measure.BlockTopics;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The rows of block topics as flat files of their tokens, one for each domain. */
final class RowFiles {
  private RowFiles() {}

  /** Writes what the topics of a shape have, into a directory that is there. */
  static void write(BlockTopics blocks, EndShape shape, Path directory) {
    List<String> domains = blocks.spec().getDomains();
    try {
      for (int domain = 0; domain < domains.size(); domain++) {
        Path file = directory.resolve(domains.get(domain) + ".rows");
        try (OutputStream out = Files.newOutputStream(file)) {
          for (int row = 0; row < shape.rowsOfDomain(); row++) {
            out.write(blocks.tokens(domain, 0, row));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("rows cannot be written to " + directory, e);
    }
  }
}
