package io.sluice.jobs.main;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a job says of itself to whoever asks Flink's REST interface, among the job's parameters: by
 * it another release finds out how the job is started again. There are no passwords in it.
 *
 * @param version release of the jar, such as 0.2.0; {@link #UNRELEASED} when run from classes
 * @param arguments that started it, the job's name first; at most {@link #ARGUMENTS}
 */
public record JobRecord(String version, List<String> arguments) {
  /** The version of what no jar has. */
  public static final String UNRELEASED = "development";

  /** Most arguments. */
  public static final int ARGUMENTS = 1000;

  private static final String VERSION_KEY = "sluice.version";
  private static final String ARGUMENTS_KEY = "sluice.arguments";
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Checks the number of arguments. */
  public JobRecord {
    if (arguments.isEmpty() || arguments.size() > ARGUMENTS) {
      throw new IllegalArgumentException(
          "a job must have from 1 to " + ARGUMENTS + " arguments: " + arguments.size());
    }
    arguments = List.copyOf(arguments);
  }

  /** Of a job of this release. */
  static JobRecord of(List<String> arguments) {
    String version = JobRecord.class.getPackage().getImplementationVersion();
    return new JobRecord(version == null ? UNRELEASED : version, arguments);
  }

  /** As parameters of the job. */
  public Map<String, String> parameters() {
    try {
      return Map.of(VERSION_KEY, version, ARGUMENTS_KEY, JSON.writeValueAsString(arguments));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Of a job that has such parameters; empty if an earlier release started it, which said nothing.
   *
   * @throws IllegalArgumentException if they are none that {@link #parameters} gives
   */
  public static Optional<JobRecord> in(Map<String, String> parameters) {
    String version = parameters.get(VERSION_KEY);
    String arguments = parameters.get(ARGUMENTS_KEY);
    if (version == null || arguments == null) {
      return Optional.empty();
    }
    return Optional.of(new JobRecord(version, parsed(arguments)));
  }

  private static List<String> parsed(String arguments) {
    List<String> parsed = new ArrayList<>();
    try {
      JsonNode list = JSON.readTree(arguments);
      boolean texts = list.isArray();
      for (JsonNode each : list) {
        texts &= each.isTextual();
        parsed.add(each.asText());
      }
      if (texts) {
        return parsed;
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(bad(arguments), e);
    }
    throw new IllegalArgumentException(bad(arguments));
  }

  private static String bad(String arguments) {
    return ARGUMENTS_KEY + " of a job must be a JSON list of texts: '" + arguments + "'";
  }
}
