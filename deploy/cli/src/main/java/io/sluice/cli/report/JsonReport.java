package io.sluice.cli.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Path;

/** A report as JSON; components of records become keys in kebab case. */
public final class JsonReport {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .build();

  private JsonReport() {}

  /**
   * Writes the report to the file.
   *
   * @throws BadInputException if the file cannot be written
   */
  public static void write(Path file, Object report) {
    try {
      MAPPER.writeValue(file.toFile(), report);
    } catch (IOException e) {
      throw new BadInputException(
          "--json must be a file that can be written: " + file + ": " + e, e);
    }
  }
}
