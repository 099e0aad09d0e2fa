package io.sluice.cli.options;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The file that a report goes to as JSON; components of records become keys in kebab case. */
public final class JsonFile {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
          .build();

  private static final Path STANDARD_OUTPUT = Path.of("-");

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  private @Nullable Path file;
  private @Nullable PrintWriter output;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = Target.class,
      description =
          "Also write the report as JSON; - for the standard output, where nothing else then goes.")
  void to(Path target) {
    if (target.equals(STANDARD_OUTPUT)) {
      // A root that has no writer yet would give all commands one as soon as it is asked.
      CommandLine root = command.root().commandLine();
      output = root.getOut();
      root.setOut(root.getErr());
    } else {
      file = target;
    }
  }

  /** Whether a report is asked for, where making one costs. */
  public boolean isAsked() {
    return output != null || file != null;
  }

  /**
   * Writes the report, if that was asked for.
   *
   * @throws BadInputException if the file cannot be written
   */
  public void write(Object report) {
    try {
      if (output != null) {
        output.println(MAPPER.writeValueAsString(report));
        output.flush();
      } else if (file != null) {
        MAPPER.writeValue(file.toFile(), report);
      }
    } catch (IOException e) {
      throw new BadInputException(
          "--json must be a file that can be written: " + file + ": " + e, e);
    }
  }

  /** A file that can be written, or the standard output. */
  static final class Target implements ITypeConverter<Path> {
    @Override
    public Path convert(String name) {
      return name.equals("-") ? STANDARD_OUTPUT : new WritableFile().convert(name);
    }
  }
}
