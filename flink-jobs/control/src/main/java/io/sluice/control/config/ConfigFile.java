package io.sluice.control.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.ParseReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A YAML file that a person wrote, whose top level is a map with every key once. */
public final class ConfigFile {
  private static final ObjectMapper YAML =
      YAMLMapper.builder()
          .enable(YAMLParser.Feature.PARSE_BOOLEAN_LIKE_WORDS_AS_STRINGS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Pattern INDENTED_BY_TAB = Pattern.compile(" *\\t");

  private ConfigFile() {}

  /**
   * The top level of the file.
   *
   * @throws BadInputException if the file cannot be read, is not YAML, holds a key twice or more
   *     than one document, or its top level is not a map
   */
  public static ConfigSection read(Path file) {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (NoSuchFileException e) {
      throw new BadInputException("no such file: " + file, e);
    } catch (IOException e) {
      throw new BadInputException("the file must be readable UTF-8 text: " + file + ": " + e, e);
    }
  }

  /**
   * The top level of the text.
   *
   * @param source the text's name in messages
   * @throws BadInputException as {@link #read}
   */
  public static ConfigSection parse(String source, String text) {
    try {
      JsonNode root = YAML.readTree(text);
      if (!(root instanceof ObjectNode object)) {
        throw new BadInputException(source + " must be a map of keys to values, in YAML");
      }
      return new ConfigSection(source, "", object);
    } catch (JsonProcessingException e) {
      OptionalInt tab = tabbed(text.lines().toList());
      throw new BadInputException(
          tab.isPresent()
              ? source + ", line " + tab.getAsInt() + ": a tab indents it; YAML takes spaces only"
              : source + where(e.getLocation()) + ": " + ParseReason.of(e),
          e);
    }
  }

  /** The first line, from 1, that a tab indents. */
  private static OptionalInt tabbed(List<String> lines) {
    return IntStream.rangeClosed(1, lines.size())
        .filter(line -> INDENTED_BY_TAB.matcher(lines.get(line - 1)).lookingAt())
        .findFirst();
  }

  private static String where(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : ", line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
