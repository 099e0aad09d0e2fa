package io.sluice.cli.options;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The file that a report goes to as JSON; components of records become keys in kebab case. */
public final class JsonFile {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .build();

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Also write the report as JSON.")
  private @Nullable Path file;

  /**
   * Writes the report, if that was asked for.
   *
   * @throws BadInputException if the file cannot be written
   */
  public void write(Object report) {
    if (file == null) {
      return;
    }
    try {
      MAPPER.writeValue(file.toFile(), report);
    } catch (IOException e) {
      throw new BadInputException(
          "--json must be a file that can be written: " + file + ": " + e, e);
    }
  }
}
