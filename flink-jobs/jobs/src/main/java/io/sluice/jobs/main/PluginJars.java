package io.sluice.jobs.main;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ReadableConfig;

/** Jars that go to the cluster beside the job's own. */
final class PluginJars {
  private PluginJars() {}

  /**
   * The option of all jars with those of a folder added.
   *
   * @throws BadInputException if it is no folder
   */
  static Configuration with(ReadableConfig cluster, Path folder) {
    List<String> jars =
        new ArrayList<>(cluster.getOptional(PipelineOptions.JARS).orElse(List.of()));
    if (!Files.isDirectory(folder)) {
      throw new BadInputException("--plugins must be a directory of jars: " + folder);
    }
    try (Stream<Path> files = Files.list(folder)) {
      files
          .filter(file -> file.toString().endsWith(".jar"))
          .sorted()
          .map(file -> file.toUri().toString())
          .forEach(jars::add);
    } catch (IOException e) {
      throw new BadInputException("--plugins must be readable: " + e.getMessage(), e);
    }
    return new Configuration().set(PipelineOptions.JARS, List.copyOf(jars));
  }
}
