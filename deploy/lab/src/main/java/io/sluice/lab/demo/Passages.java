package io.sluice.lab.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cuts text into passages of about 2,000 characters, so that even a domain of one long file has
 * documents to hold out.
 */
public final class Passages {
  private static final int LENGTH = 2000;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Passages() {}

  /**
   * Writes a text file's passages as JSON lines with an id and a text.
   *
   * @return the file of passages; empty if the text is not UTF-8
   */
  static Optional<Path> write(Path text, String name, Path jsonl) throws IOException {
    List<String> passages;
    try {
      passages = split(Files.readString(text, StandardCharsets.UTF_8));
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
    Files.createDirectories(jsonl.toAbsolutePath().getParent());
    try (BufferedWriter out = Files.newBufferedWriter(jsonl, StandardCharsets.UTF_8)) {
      for (int i = 0; i < passages.size(); i++) {
        Map<String, String> line = Map.of("id", name + "#" + i, "text", passages.get(i));
        out.write(MAPPER.writeValueAsString(line));
        out.newLine();
      }
    }
    return Optional.of(jsonl);
  }

  /** Passages that, put together, are the text: cut after a line's end, or where a line is long. */
  public static List<String> split(String text) {
    return split(text, LENGTH);
  }

  /** The same, of at most so many characters. */
  public static List<String> split(String text, int length) {
    List<String> passages = new ArrayList<>();
    int start = 0;
    while (start < text.length()) {
      int end = Math.min(text.length(), start + length);
      if (end < text.length()) {
        int line = text.lastIndexOf('\n', end - 1);
        end = line > start ? line + 1 : end;
        end += Character.isLowSurrogate(text.charAt(end)) ? 1 : 0;
      }
      passages.add(text.substring(start, end));
      start = end;
    }
    return passages;
  }
}
