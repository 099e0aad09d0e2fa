package io.sluice.lab.demo;

import io.sluice.cli.ingest.corpus.CorpusIngest;
import io.sluice.control.error.BadInputException;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A demo's documents: a folder with one sub-folder per domain, whose text files are cut into
 * passages.
 */
final class DemoCorpus {
  private final Map<String, List<Path>> files = new TreeMap<>();

  private DemoCorpus() {}

  /**
   * The corpus of the settings: the given folder, or the project's own files.
   *
   * @throws BadInputException if the folder has no sub-folder with files in it, or cannot be read
   */
  static DemoCorpus of(DemoSettings settings) {
    Path work = settings.stateDirectory().resolve("corpus");
    Path source = settings.corpus().orElse(work.resolve("files"));
    try {
      if (settings.corpus().isEmpty()) {
        ProjectCorpus.write(settings.project(), source);
      } else if (!Files.isDirectory(source)) {
        throw new BadInputException("--corpus must be a folder that can be read: " + source);
      }
      DemoCorpus corpus = new DemoCorpus();
      for (Path folder : children(source)) {
        if (Files.isDirectory(folder)) {
          corpus.add(folder, work.resolve("passages"));
        }
      }
      if (corpus.files.isEmpty()) {
        throw new BadInputException(
            "--corpus must have a sub-folder for each domain, and none has files: " + source);
      }
      return corpus;
    } catch (IOException e) {
      throw new BadInputException("--corpus must be a folder that can be read: " + e, e);
    }
  }

  private void add(Path folder, Path passages) throws IOException {
    String domain = Topics.requireName("domain", folder.getFileName().toString());
    List<Path> found;
    try (Stream<Path> paths = Files.walk(folder)) {
      found = paths.filter(path -> isVisible(folder.relativize(path))).sorted().toList();
    }
    List<Path> documents = new ArrayList<>();
    for (Path file : found) {
      if (!Files.isDirectory(file)) {
        documents.add(document(folder, file, passages.resolve(domain)));
      }
    }
    if (documents.isEmpty()) {
      throw new BadInputException(
          "--corpus must have files in each sub-folder, there are none in " + folder);
    }
    files.put(domain, documents);
  }

  /** The file's passages; the file itself if it holds documents already, or is no text. */
  private static Path document(Path folder, Path file, Path passages) throws IOException {
    String name = folder.relativize(file).toString();
    String lower = name.toLowerCase(Locale.ROOT);
    boolean holdsDocuments = Stream.of(".jsonl", ".ndjson", ".gz").anyMatch(lower::endsWith);
    if (holdsDocuments || !Files.isReadable(file)) {
      return file;
    }
    return Passages.write(file, name, passages.resolve(name + ".jsonl")).orElse(file);
  }

  private static boolean isVisible(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith(".")) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> children(Path folder) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.filter(path -> !path.getFileName().toString().startsWith(".")).sorted().toList();
    }
  }

  /** Names of the domains, in order. */
  List<String> domains() {
    return List.copyOf(files.keySet());
  }

  /**
   * Writes every domain to its corpus topic, with its end.
   *
   * @return what was written, for a person
   * @throws BadInputException if a domain has no usable document
   */
  String ingest(KafkaAccess kafka) {
    List<String> written = new ArrayList<>();
    for (Map.Entry<String, List<Path>> domain : files.entrySet()) {
      IngestReport report =
          new CorpusIngest(kafka, IngestSettings.of(domain.getKey()), true, true, bytes -> {})
              .paths(domain.getValue());
      if (report.documents() == 0) {
        throw new BadInputException(
            "domain " + domain.getKey() + " has no usable document: " + report.firstRefusals());
      }
      written.add(
          String.format(
              Locale.ROOT,
              "%s %d documents, %.1f MB%s",
              domain.getKey(),
              report.documents(),
              report.bytes() / 1e6,
              report.deadLetters() == 0 ? "" : ", " + report.deadLetters() + " refused"));
    }
    return String.join("; ", written);
  }
}
