package io.sluice.cli.model;

import io.sluice.cli.endpoint.DocumentFile;
import io.sluice.cli.endpoint.Output;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.schema.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/**
 * Texts by what they were found to be about: in a folder, a file of JSON lines for each topic that
 * has some.
 */
final class LabelledFiles implements Output {
  private final Path folder;
  private final Map<String, DocumentFile> files = new TreeMap<>();
  private final Map<String, Long> counts;
  private final Queue<Document> waiting = new ArrayDeque<>();

  /**
   * @param counts gets how many texts each topic has
   */
  LabelledFiles(Path folder, Map<String, Long> counts) {
    this.folder = folder;
    this.counts = counts;
  }

  /** Makes the folder, if there is none. */
  LabelledFiles open() {
    try {
      Files.createDirectories(folder);
      return this;
    } catch (IOException e) {
      throw new BadInputException("--out must be a folder that can be written: " + e, e);
    }
  }

  /** A document that is asked about; what becomes of them comes in the same order. */
  void asked(Document document) {
    waiting.add(document);
  }

  @Override
  public void take(Outcome outcome) {
    Document document = waiting.remove();
    if (outcome instanceof Outcome.Made made) {
      add(document, made);
    }
  }

  private void add(Document document, Outcome.Made made) {
    String topic = made.text();
    files
        .computeIfAbsent(topic, name -> DocumentFile.open(folder.resolve(name + ".jsonl")))
        .take(
            new Outcome.Made(made.seed(), document.getId(), document.getText(), made.properties()));
    counts.merge(topic, 1L, Long::sum);
  }

  @Override
  public void place() {
    files.values().forEach(DocumentFile::place);
  }

  @Override
  public void close() {
    files.values().forEach(DocumentFile::close);
  }
}
