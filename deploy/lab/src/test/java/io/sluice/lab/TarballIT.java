package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.demo.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tarball has that the build has made, and what it has not. */
final class TarballIT {
  private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();
  private static final Path BUILT = Path.of("target");
  private static final String TESTS = "/src/test/java/";
  private static final Pattern READ_AS_TEXT =
      Pattern.compile(".*\\.(java|md|xml|ya?ml|json|avsc|toml|py)");
  private static final Pattern VERSION = Pattern.compile("-\\d.*");
  private static final Pattern ARTIFACT = Pattern.compile("\\([^:() ]+:([^:() ]+):([^() ]+) - ");
  private static final Pattern WITHOUT_TRACES =
      Pattern.compile("(-rw-r--r--|[-d]rwxr-xr-x) root/root +\\d+ 2026-01-01 00:00:00 (\\S+)");

  @TempDir private static Path directory;

  private static Path unpacked;
  private static List<String> listed;

  @BeforeAll
  static void unpack() throws Exception {
    try (Stream<Path> files = Files.list(BUILT)) {
      String tarball =
          files
              .map(Path::toString)
              .filter(name -> name.endsWith(".tar.gz"))
              .findAny()
              .orElseThrow();
      listed = tar("--list", "--verbose", "--utc", "--full-time", "--file", tarball);
      tar("--extract", "--directory", directory.toString(), "--file", tarball);
      unpacked =
          directory.resolve(Path.of(tarball).getFileName().toString().replace(".tar.gz", ""));
    }
  }

  private static List<String> tar(String... options) throws Exception {
    Path out = directory.resolve("tar.out");
    List<String> command = Stream.concat(Stream.of("tar"), Stream.of(options)).toList();
    Process tar =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertThat(tar.waitFor()).as(Files.readString(out)).isZero();
    return Files.readAllLines(out);
  }

  @Test
  void libHasTheClassPathButForTheLibrariesOfPyTorch() throws IOException {
    TreeSet<String> expected = new TreeSet<>(classPath());
    assertThat(expected.removeIf(name -> name.startsWith("pytorch-native-cpu-"))).isTrue();
    List<String> lab = jars().stream().filter(name -> name.startsWith("sluice-lab-")).toList();
    assertThat(lab).hasSize(1);
    expected.addAll(lab);
    assertThat(jars()).containsExactlyElementsOf(expected);
  }

  @Test
  void noArtifactIsThereTwice() throws IOException {
    assertThat(jars())
        .extracting(jar -> VERSION.matcher(jar).replaceFirst(""))
        .doesNotHaveDuplicates();
  }

  @Test
  void sluicesJarsHaveNoTestsAndTheirLicence() throws IOException {
    List<String> tests =
        ProjectFiles.of(PROJECT).stream()
            .map(Path::toString)
            .filter(name -> name.contains(TESTS) && !name.endsWith("/package-info.java"))
            .map(name -> name.substring(name.indexOf(TESTS) + TESTS.length()))
            .map(name -> name.replaceFirst("\\.java$", ".class"))
            .toList();
    assertThat(tests).hasSizeGreaterThan(500);
    List<String> own = jars().stream().filter(name -> name.startsWith("sluice-")).toList();
    assertThat(own).hasSizeGreaterThan(10);
    for (String jar : own) {
      try (ZipFile opened = new ZipFile(unpacked.resolve("lib").resolve(jar).toFile())) {
        assertThat(opened.stream().map(ZipEntry::getName))
            .contains("META-INF/LICENSE", "META-INF/NOTICE")
            .doesNotContainAnyElementsOf(tests);
      }
    }
  }

  @Test
  void everyJarOfOthersIsNamedWithItsLicence() throws IOException {
    List<String> named =
        ARTIFACT
            .matcher(Files.readString(unpacked.resolve("THIRD-PARTY.txt")))
            .results()
            .map(match -> match.group(1) + "-" + match.group(2) + ".jar")
            .toList();
    assertThat(named)
        .containsAll(jars().stream().filter(name -> !name.startsWith("sluice-")).toList());
    for (String file : List.of("LICENSE", "NOTICE")) {
      assertThat(unpacked.resolve(file)).hasSameTextualContentAs(PROJECT.resolve(file));
    }
    assertThat(unpacked.resolve("bin/sluice")).hasSameTextualContentAs(PROJECT.resolve("sluice"));
  }

  @Test
  void theReadmeNamesTheLibrariesThatAreApart() throws IOException {
    String readme = Files.readString(unpacked.resolve("README"));
    assertThat(classPath().stream().filter(name -> name.startsWith("pytorch-native-cpu-")))
        .isNotEmpty()
        .allMatch(readme::contains);
    assertThat(unpacked.resolve("plugins/README")).isNotEmptyFile();
  }

  @Test
  void theDemoFindsTheTextsThatItFindsInACheckout() {
    Path texts = unpacked.resolve("share/project");
    assertThat(ProjectFiles.of(PROJECT))
        .map(file -> PROJECT.relativize(file).toString())
        .filteredOn(name -> READ_AS_TEXT.matcher(name).matches())
        .hasSizeGreaterThan(1_000)
        .allSatisfy(name -> assertThat(texts.resolve(name)).exists());
  }

  @Test
  void nothingTellsWhoMadeItAndWhen() {
    assertThat(listed)
        .allSatisfy(entry -> assertThat(entry).matches(WITHOUT_TRACES))
        .anyMatch(entry -> entry.matches("-rwxr-xr-x .*/bin/sluice"));
  }

  /** Names of the jars in lib/, in order. */
  private static List<String> jars() throws IOException {
    try (Stream<Path> files = Files.list(unpacked.resolve("lib"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** Names of what the launcher uses in a checkout. */
  private static List<String> classPath() throws IOException {
    return Stream.of(Files.readString(BUILT.resolve("classpath")).split(":", -1))
        .map(entry -> Path.of(entry).getFileName().toString())
        .toList();
  }
}
