package io.sluice.control.config;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** Further settings of every Kafka client, from a properties file. */
public final class ClientSettings {
  private ClientSettings() {}

  /**
   * The settings of a file.
   *
   * @param by what names it, for the message
   * @throws BadInputException if it cannot be read
   */
  public static Map<String, String> read(String by, Path file) {
    Properties properties = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      throw new BadInputException(
          by + " must be a readable properties file: " + file + ": " + e, e);
    }
    Map<String, String> settings = new TreeMap<>();
    properties.stringPropertyNames().forEach(n -> settings.put(n, properties.getProperty(n)));
    return settings;
  }
}
