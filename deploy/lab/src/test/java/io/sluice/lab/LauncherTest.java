package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a project that is built, with small programs in the place of the real ones. */
final class LauncherTest {
  private static final String SHARED = Lab.class.getName() + " source: shared objects file (top)";
  private static final String REHEARSAL =
      "new Lab(); java.nio.file.Files.writeString(java.nio.file.Path.of("
          + "System.getProperty(\"sluice.home\"), \"rehearsals\"), \"one\\n\","
          + " java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);";

  @TempDir private Path project;

  @BeforeEach
  void build() throws IOException {
    Files.createDirectories(built("."));
    Files.copy(Path.of("..", "..", "sluice"), project.resolve("sluice"));
    classes("ran", REHEARSAL);
    Files.writeString(built("classpath"), built("lab.jar").toString());
    Files.writeString(built("stamp"), "");
  }

  @Test
  void aCommandStartsWithTheClassesThatARehearsalHasLeft() throws Exception {
    assertThat(launch()).isEqualTo("ran\n");
    assertThat(launch()).isEqualTo("ran\n");
    assertThat(loaded()).contains(SHARED);
    assertThat(built("rehearsals")).hasContent("one");
  }

  @Test
  void aCommandThatFindsPluginsStartsWithThemToo() throws Exception {
    Path plugins = Files.createDirectories(project.resolve("plugins"));
    Files.copy(built("lab.jar"), plugins.resolve("policy.jar"));
    assertThat(launch("--plugins", plugins.toString())).isEqualTo("ran\n");
    assertThat(loaded("--plugins", plugins.toString())).contains(SHARED);
  }

  @Test
  void aContextsPluginsAreFoundUnlessOthersAreNamed() throws Exception {
    classes("\" + System.getProperty(\"java.class.path\") + \"", REHEARSAL);
    for (String name : List.of("mine", "other", "variable", "option")) {
      Path plugins = Files.createDirectories(project.resolve("plugins of " + name));
      Files.copy(built("lab.jar"), plugins.resolve(name + ".jar"));
    }
    Files.createDirectories(project.resolve("sluice-config/sluice"));
    Files.writeString(
        project.resolve("sluice-config/sluice/contexts.yaml"),
        """
        current: "mine"
        contexts:
          mine:
            kafka: "a:1"
            plugins: "%1$s/plugins of mine"
          none:
            kafka: "a:1"
          other:
            kafka: "b:1"
            plugins: "%1$s/plugins of other"
        """
            .formatted(project));
    assertThat(launch("run", "list")).contains("/mine.jar");
    assertThat(launch("run", "list", "--context", "other")).contains("/other.jar");
    assertThat(launch("--context=none", "run", "list")).doesNotContain("/mine.jar");
    assertThat(launch("--kafka", "b:1", "run", "list")).doesNotContain("/mine.jar");
    Map<String, String> other = Map.of("SLUICE_CONTEXT", "other");
    assertThat(run(other, "run", "list")).contains("/other.jar");
    Map<String, String> variable =
        Map.of("SLUICE_PLUGINS", project.resolve("plugins of variable").toString());
    assertThat(run(variable, "run", "list")).contains("/variable.jar");
    assertThat(run(variable, "run", "list", "--context", "other")).contains("/other.jar");
    String option = project.resolve("plugins of option").toString();
    assertThat(run(variable, "run", "list", "--context", "other", "--plugins", option))
        .contains("/option.jar");
  }

  @Test
  void otherClassesAreRehearsedAnew() throws Exception {
    launch();
    classes("ran otherwise", REHEARSAL);
    Files.setLastModifiedTime(built("lab.jar"), FileTime.from(Instant.now().plusSeconds(2)));
    assertThat(launch()).isEqualTo("ran otherwise\n");
    assertThat(loaded()).contains(SHARED);
    assertThat(Files.readAllLines(built("rehearsals"))).hasSizeGreaterThan(1);
  }

  @Test
  void anArchiveThatDoesNotFitIsPassedOverInSilence() throws Exception {
    launch();
    byte[] others = Files.readAllBytes(built("classes.jsa"));
    Files.delete(built("classes.jsa"));
    Files.writeString(built("classes.jsa"), "torn");
    assertThat(launch()).isEqualTo("ran\n");

    classes("ran otherwise", REHEARSAL);
    Files.write(built("classes.jsa"), others);
    Files.setLastModifiedTime(
        built("classes.jsa"), FileTime.from(Instant.now().plusSeconds(3_600)));
    assertThat(launch()).isEqualTo("ran otherwise\n");
    assertThat(loaded()).contains(Lab.class.getName()).doesNotContain(SHARED);
  }

  @Test
  void aRehearsalThatFailsKeepsNoCommandFromStartingAndIsNotTriedAgain() throws Exception {
    classes("ran", REHEARSAL + "System.exit(1);");
    assertThat(launch()).isEqualTo("ran\n");
    assertThat(launch()).isEqualTo("ran\n");
    assertThat(loaded()).contains(Lab.class.getName()).doesNotContain(SHARED);
    assertThat(built("rehearsals")).hasContent("one");
  }

  @Test
  void aReleaseSaysWhatItTakes() throws Exception {
    assertThat(launch("release", "--help")).startsWith("Usage: sluice release [--out DIR]");
    assertThat(launch("release", "-Dany=thing", "-h")).startsWith("Usage: sluice release");
  }

  @Test
  void aReleaseRefusesWhatItDoesNotTakeBeforeItMakesAnything() throws Exception {
    for (String[] out : List.of(new String[] {"--out"}, new String[] {"-o", "--out="})) {
      assertThat(refused(out)).isEqualTo("sluice: --out must name a folder\n");
    }
    String below = "sluice: --out must be below a folder that is there: /no/such/dir\n";
    assertThat(refused("--out", "/no/such/dir")).isEqualTo(below);
    assertThat(refused("-Dany=thing", "--out=/no/such/dir")).isEqualTo(below);
    assertThat(refused("--out=" + project))
        .isEqualTo(
            "sluice: --out must be an empty folder, or one that is not there yet: %s\n"
                .formatted(project));
    assertThat(refused("--outt=dist"))
        .isEqualTo(
            "sluice: 'sluice release' has no option --outt=dist; those that it has:"
                + " sluice release --help\n");
    assertThat(project.resolve("dist")).doesNotExist();
  }

  private String refused(String... arguments) throws Exception {
    return run(
        2,
        Map.of(),
        Stream.concat(Stream.of("release"), Stream.of(arguments)).toArray(String[]::new));
  }

  private Path built(String file) {
    return project.resolve(".sluice/build").resolve(file);
  }

  /** A jar of a command that prints a line, and of what is rehearsed. */
  private void classes(String line, String rehearsed) throws IOException {
    Path sources = Files.createDirectories(project.resolve("sources/io/sluice/lab"));
    Path classes = Files.createDirectories(project.resolve("classes"));
    Map<String, String> bodies =
        Map.of("Lab", "System.out.println(\"" + line + "\");", "Rehearsal", rehearsed);
    for (Map.Entry<String, String> each : bodies.entrySet()) {
      Path source = sources.resolve(each.getKey() + ".java");
      Files.writeString(
          source,
          "package io.sluice.lab; public class %s { public static void main(String[] args) throws Exception { %s } }"
              .formatted(each.getKey(), each.getValue()));
    }
    int compiled =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                classes.toString(),
                sources.resolve("Lab.java").toString(),
                sources.resolve("Rehearsal.java").toString());
    assertThat(compiled).isZero();
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(built("lab.jar")))) {
      for (String name : bodies.keySet()) {
        String entry = "io/sluice/lab/" + name + ".class";
        jar.putNextEntry(new JarEntry(entry));
        jar.write(Files.readAllBytes(classes.resolve(entry)));
        jar.closeEntry();
      }
    }
  }

  /** Which classes a command loads, from where. */
  private String loaded(String... arguments) throws Exception {
    Path log = project.resolve("loaded.log");
    run(Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load=info:file=" + log), arguments);
    return Files.readString(log, StandardCharsets.UTF_8);
  }

  /** All that a command prints. */
  private String launch(String... arguments) throws Exception {
    return run(Map.of(), arguments);
  }

  private String run(Map<String, String> environment, String... arguments) throws Exception {
    return run(0, environment, arguments);
  }

  private String run(int exit, Map<String, String> environment, String... arguments)
      throws Exception {
    List<String> command =
        Stream.concat(Stream.of("bash", project.resolve("sluice").toString()), Stream.of(arguments))
            .toList();
    File out = project.resolve("out").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out);
    builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("XDG_CONFIG_HOME", project.resolve("sluice-config").toString());
    builder.environment().putAll(environment);
    assertThat(builder.start().waitFor()).isEqualTo(exit);
    return Files.readString(out.toPath());
  }
}
