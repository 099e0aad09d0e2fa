package io.sluice.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A jar of somebody else's, compiled here, that no list of this project knows. */
final class PluginJar {
  private PluginJar() {}

  /**
   * Compiles the sources under {@code src/test/resources/plugin}.
   *
   * @param folder for the classes and the jar
   * @return the folder that holds the jar and nothing else
   */
  static Path build(Path folder) throws IOException {
    Path sources = sources();
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Path plugins = Files.createDirectories(folder.resolve("plugins"));
    compile(files(sources, ".java"), classes);
    try (OutputStream out = Files.newOutputStream(plugins.resolve("tail-loss.jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      add(jar, classes, files(classes, ".class"));
      add(jar, sources, files(sources, "Factory"));
    }
    return plugins;
  }

  private static Path sources() {
    URL plugin = Objects.requireNonNull(PluginJar.class.getResource("/plugin"));
    try {
      return Path.of(new URI(plugin.toString()));
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static void compile(List<Path> sources, Path classes) {
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    List<String> options =
        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    Iterable<String> none = null;
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(null, files, null, options, none, files.getJavaFileObjectsFromPaths(sources))
              .call();
      assertThat(compiled).isTrue();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Path> files(Path folder, String end) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).sorted().toList();
    }
  }

  private static void add(JarOutputStream jar, Path folder, List<Path> files) throws IOException {
    for (Path file : files) {
      jar.putNextEntry(new JarEntry(folder.relativize(file).toString()));
      Files.copy(file, jar);
      jar.closeEntry();
    }
  }
}
