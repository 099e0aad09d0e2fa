package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher beside a lib/ of jars, on a machine with Java, or what says so, and no Maven. */
final class InstalledLauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "dirname",
          "find",
          "flock",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sort");

  @TempDir private Path directory;

  private Path root;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void install() throws IOException {
    root = directory.toRealPath().resolve("sluice-1");
    Files.createDirectories(root.resolve("bin"));
    Files.createDirectories(root.resolve("lib"));
    Files.copy(Path.of("..", "..", "sluice"), root.resolve("bin/sluice"));
    for (String jar : List.of("avro-1.jar", "sluice-lab-1.jar", "sluice-cli-1.jar", "zstd-1.jar")) {
      Files.createFile(root.resolve("lib").resolve(jar));
    }
    Path tools = Files.createDirectories(directory.resolve("tools"));
    for (String tool : TOOLS) {
      for (String folder : List.of("/usr/bin", "/bin")) {
        Path file = Path.of(folder, tool);
        if (Files.isExecutable(file) && !Files.exists(tools.resolve(tool))) {
          Files.createSymbolicLink(tools.resolve(tool), file);
        }
      }
    }
    environment.put("PATH", tools.toString());
    environment.put("HOME", directory.toString());
    environment.put("JAVA_HOME", java("home", "17.0.9").toString());
  }

  @Test
  void aCommandRunsWithTheJarsThatAreThereAndNothingIsBuilt() throws Exception {
    assertThat(launch(0, "demo", "--steps", "2"))
        .contains("ran " + directory.resolve("home/bin/java"))
        .contains("-Dsluice.home=" + directory.resolve(".sluice"))
        .contains("-Dsluice.project=" + root.resolve("share/project"))
        .contains("-Dsluice.launcher=" + root.resolve("bin/sluice"))
        .contains(" -cp " + jars("sluice-cli-1", "sluice-lab-1", "avro-1", "zstd-1"))
        .endsWith("io.sluice.lab.Lab demo --steps 2\n");
    assertThat(root.resolve(".sluice")).doesNotExist();
  }

  @Test
  void itIsFoundThroughALinkAndItsStateLiesWhereOneSays() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("sluice"), root.resolve("bin/sluice"));
    environment.put("SLUICE_HOME", directory.resolve("state").toString());
    assertThat(launch(0, link, "up"))
        .contains("-Dsluice.home=" + directory.resolve("state"))
        .contains(" -cp " + jars("sluice-cli-1", "sluice-lab-1", "avro-1", "zstd-1"));
    assertThat(directory.resolve(".sluice")).doesNotExist();
  }

  @Test
  void otherJarsAreRehearsedAnew() throws Exception {
    launch(0, "run");
    launch(0, "run");
    assertThat(rehearsals()).isEqualTo(1);
    Files.delete(root.resolve("lib/zstd-1.jar"));
    Files.createFile(root.resolve("lib/zstd-2.jar"));
    launch(0, "run");
    assertThat(rehearsals()).isEqualTo(2);
  }

  @Test
  void jarsInPluginsAreUsedUnlessOthersAreNamed() throws Exception {
    Path plugins = Files.createDirectories(root.resolve("plugins"));
    Files.createFile(plugins.resolve("policy.jar"));
    Path others = Files.createDirectories(directory.resolve("others"));
    assertThat(launch(0, "up")).contains(":" + plugins + "/*").contains("plugins=" + plugins);
    assertThat(launch(0, "up", "--plugins", others.toString())).contains(":" + others + "/*");
  }

  @Test
  void whatNeedsTheSourcesSaysSo() throws Exception {
    for (String command : List.of("test", "release")) {
      assertThat(launch(2, command))
          .isEqualTo("sluice: 'sluice " + command + "' needs the sources: run it in a checkout\n");
    }
  }

  @Test
  void anOldJavaOrNoneIsNamed() throws Exception {
    Path old = java("old", "11.0.2");
    environment.put("JAVA_HOME", old.toString());
    assertThat(launch(3, "demo"))
        .isEqualTo(
            "sluice: needs Java 17 or later: " + old.resolve("bin/java") + " is version 11\n");
    environment.put("JAVA_HOME", directory.resolve("none").toString());
    assertThat(launch(3, "demo")).startsWith("sluice: JAVA_HOME must be Java 17 or later: no ");
    environment.remove("JAVA_HOME");
    assertThat(launch(3, "demo"))
        .isEqualTo("sluice: needs Java 17 or later: install it, or set JAVA_HOME\n");
  }

  private String jars(String... names) {
    return String.join(
        ":",
        Stream.of(names)
            .map(name -> root.resolve("lib").resolve(name + ".jar").toString())
            .toList());
  }

  private long rehearsals() throws IOException {
    try (Stream<String> lines = Files.lines(directory.resolve("started"))) {
      return lines.filter(line -> line.endsWith("io.sluice.lab.Rehearsal")).count();
    }
  }

  /** A Java of a version that says how it is started. */
  private Path java(String name, String version) throws IOException {
    Path home = directory.resolve(name);
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(
        java,
        """
        #!/usr/bin/env bash
        echo "$*" >>'%s'
        echo "ran $0 plugins=${SLUICE_PLUGINS:-} $*"
        """
            .formatted(directory.resolve("started")));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private String launch(int code, String... arguments) throws Exception {
    return launch(code, root.resolve("bin/sluice"), arguments);
  }

  /** All that a command prints. */
  private String launch(int code, Path launcher, String... arguments) throws Exception {
    Path out = directory.resolve("out");
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of("/bin/bash", launcher.toString()), Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    int ended = builder.start().waitFor();
    String said = Files.readString(out);
    assertThat(ended).as(said).isEqualTo(code);
    return said;
  }
}
