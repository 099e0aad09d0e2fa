package io.sluice.cli.options;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads the name of a file that a command writes at its end, and refuses one that it could not: an
 * hour's work should not end with that.
 */
public final class WritableFile implements ITypeConverter<Path> {
  @Override
  public Path convert(String name) {
    Path file = Path.of(name);
    Path directory = file.toAbsolutePath().getParent();
    boolean replaced = Files.exists(file);
    if (directory == null
        || Files.isDirectory(file)
        || !Files.isWritable(replaced ? file : directory)) {
      throw new TypeConversionException("must be a file that can be written: " + name);
    }
    return file;
  }
}
