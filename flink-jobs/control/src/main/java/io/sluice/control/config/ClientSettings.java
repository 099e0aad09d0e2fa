package io.sluice.control.config;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Further settings of every Kafka client, from a properties file. Kafka takes any key, since
 * plugins have keys of their own, and says nothing of one that is misspelt.
 */
public final class ClientSettings {
  private static final int MOST_SLIPS = 2;
  private static final Set<String> KNOWN =
      Stream.of(
              ConsumerConfig.configNames(),
              ProducerConfig.configNames(),
              AdminClientConfig.configNames())
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private ClientSettings() {}

  /**
   * The settings of a file.
   *
   * @param by what names it, for the message
   * @throws BadInputException if it cannot be read, has nothing that Kafka's clients know, or a key
   *     that is nearly one of theirs
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
    require(by, file, settings.keySet());
    return settings;
  }

  private static void require(String by, Path file, Set<String> keys) {
    if (!keys.isEmpty() && keys.stream().noneMatch(KNOWN::contains)) {
      throw new BadInputException(
          by
              + " must have settings of Kafka's clients, such as security.protocol: "
              + file
              + " has none, but "
              + keys.stream().limit(3).toList());
    }
    for (String key : keys) {
      Optional<String> meant =
          KNOWN.contains(key)
              ? Optional.empty()
              : KNOWN.stream().filter(known -> slips(key, known) <= MOST_SLIPS).findFirst();
      if (meant.isPresent()) {
        throw new BadInputException(
            by
                + ": "
                + key
                + " in "
                + file
                + " is no setting of Kafka's clients: did you mean "
                + meant.get()
                + "?");
      }
    }
  }

  /** Letters that are missing, added or others; more than the most count as one more. */
  private static int slips(String one, String other) {
    if (Math.abs(one.length() - other.length()) > MOST_SLIPS) {
      return MOST_SLIPS + 1;
    }
    int[] above = new int[other.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int differs = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + differs, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[other.length()];
  }
}
