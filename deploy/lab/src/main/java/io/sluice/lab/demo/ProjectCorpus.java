package io.sluice.lab.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The demo's default corpus: this project's own files as domains java, prose (Markdown and Javadoc)
 * and config (XML, YAML, JSON, Avro schemas), and a generated domain of arithmetic.
 */
final class ProjectCorpus {
  private static final Set<String> CONFIG = Set.of("xml", "yaml", "yml", "json", "avsc", "toml");
  private static final Pattern JAVADOC = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
  private static final int ARITHMETIC_FILES = 64;
  private static final int LINES = 60;

  private ProjectCorpus() {}

  /**
   * Writes the corpus, a folder per domain.
   *
   * @param project the folder of the sources
   * @param corpus an empty folder
   */
  static void write(Path project, Path corpus) {
    List<Path> sources = ProjectFiles.of(project);
    for (Path source : sources) {
      String name = project.relativize(source).toString();
      String ending = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
      String flat = name.replace(java.io.File.separatorChar, '.');
      if (ending.equals("java")) {
        String text = ProjectFiles.read(source);
        write(corpus.resolve("java").resolve(flat), text);
        String prose = javadoc(text);
        if (!prose.isBlank()) {
          write(corpus.resolve("prose").resolve(flat + ".txt"), prose);
        }
      } else if (ending.equals("md")) {
        write(corpus.resolve("prose").resolve(flat), ProjectFiles.read(source));
      } else if (CONFIG.contains(ending)) {
        write(corpus.resolve("config").resolve(flat + ".txt"), ProjectFiles.read(source));
      }
    }
    for (int file = 0; file < ARITHMETIC_FILES; file++) {
      write(corpus.resolve("arithmetic").resolve("sums-" + file + ".txt"), arithmetic(file));
    }
  }

  /** The sentences of all Javadoc comments, without the stars. */
  private static String javadoc(String source) {
    return JAVADOC
        .matcher(source)
        .results()
        .map(ProjectCorpus::sentences)
        .collect(Collectors.joining("\n\n"));
  }

  private static String sentences(MatchResult comment) {
    return comment
        .group(1)
        .lines()
        .map(line -> line.strip().replaceFirst("^\\*\\s?", ""))
        .collect(Collectors.joining("\n"))
        .strip();
  }

  private static String arithmetic(int seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      int a = random.nextInt(100);
      int b = random.nextInt(100);
      boolean plus = random.nextBoolean();
      text.append(a)
          .append(plus ? " + " : " - ")
          .append(b)
          .append(" = ")
          .append(plus ? a + b : a - b)
          .append('\n');
    }
    return text.toString();
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
