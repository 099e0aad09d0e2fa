package io.sluice.cli.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobsJarTest {
  @TempDir private Path folder;

  @Test
  void saysWhatItIs() throws IOException {
    JobsJar jar = TestingFlink.jar(folder, "0.2.0", "2.2.1");

    assertThat(jar.version()).isEqualTo("0.2.0");
    assertThat(jar.flink()).isEqualTo("2.2.1");
    assertThat(jar.file()).isAbsolute().exists();
  }

  @Test
  void anotherFileIsRefused() throws IOException {
    Path empty = folder.resolve("empty.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(empty))) {
      jar.putNextEntry(new ZipEntry("a"));
    }
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> JobsJar.read(empty))
        .withMessageContaining("--jar must be the jobs' jar of a release");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> JobsJar.read(Files.writeString(folder.resolve("text"), "no jar")))
        .withMessageContaining("--jar must be a jar that can be read");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> JobsJar.read(folder.resolve("none")))
        .withMessageContaining("--jar must be a jar that can be read");
  }

  @ParameterizedTest
  @CsvSource({
    "2.2.1, true",
    "2.2.0, true",
    "2.2-SNAPSHOT, true",
    "2.20.1, false",
    "1.20.1, false",
    "2, false"
  })
  void runsOnTheFlinkOfItsSeries(String flink, boolean fits) throws IOException {
    assertThat(TestingFlink.jar(folder, "0.2.0", "2.2.1").fits(flink)).isEqualTo(fits);
  }

  @ParameterizedTest
  @CsvSource({
    "0.2.1, true",
    "0.10.0, true",
    "0.2.0, false",
    "0.2.0-SNAPSHOT, false",
    "0.1.9, false",
    "development, false"
  })
  void isOlderThanAJobOfALaterRelease(String running, boolean older) throws IOException {
    assertThat(TestingFlink.jar(folder, "0.2.0", "2.2.1").isOlderThan(running)).isEqualTo(older);
  }

  @Test
  void isFoundBesideTheCommand() throws IOException {
    Path lib = Files.createDirectories(folder.resolve("sluice-0.2.0/lib"));
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> JobsJar.beside(lib))
        .withMessageStartingWith("--jar must be given: no sluice-jobs-VERSION-flink.jar in ")
        .withMessageEndingWith(
            "; 'mvn -Pfast package' makes it in a checkout, and a release has it");

    Path jar = TestingFlink.jar(folder, "0.2.0", "2.2.1").file();
    assertThat(JobsJar.beside(lib)).isEqualTo(jar);

    TestingFlink.jar(folder, "0.3.0", "2.2.1");
    assertThatExceptionOfType(BadInputException.class)
        .isThrownBy(() -> JobsJar.beside(lib))
        .withMessageStartingWith("--jar must be given, for there are several: ");
  }
}
