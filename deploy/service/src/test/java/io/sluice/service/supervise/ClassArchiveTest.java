package io.sluice.service.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassArchiveTest {
  @TempDir private Path directory;

  /** A program that ends at once, and not in order. */
  static final class Ender {
    public static void main(String[] arguments) {
      Runtime.getRuntime().halt(0);
    }
  }

  @Test
  void aProgramStartsWithTheClassesThatItsLifeBeforeHasLeft() throws Exception {
    Path jar = jar(Ender.class);
    ClassArchive archive = archive(jar);
    assertThat(archive.isThere()).isFalse();

    assertThat(lives(archive, jar)).doesNotContain("shared objects file (top)");
    assertThat(archive.isThere()).isTrue();
    assertThat(lives(archive, jar))
        .contains(Ender.class.getName() + " source: shared objects file (top)");
  }

  @Test
  void otherClassesUnderTheSameNamesHaveAnotherArchive() throws Exception {
    Path jar = jar(Ender.class);
    ClassArchive before = archive(jar);
    assertThat(archive(jar)).isEqualTo(before);
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000));
    assertThat(archive(jar)).isNotEqualTo(before);
  }

  @Test
  void aProgramStartsWhereNoArchiveCanBe() throws Exception {
    Path jar = jar(Ender.class);
    Path file = Files.writeString(directory.resolve("file"), "");
    assertThat(ClassArchive.in(file, "ender", jar.toString()).options()).isEmpty();
  }

  @Test
  void aVirtualMachineWithoutAnArchiveOfItsOwnIsAskedForNone() throws Exception {
    ClassArchive archive = archive(jar(Ender.class));
    Path server = Files.createDirectories(directory.resolve("jlinked/lib/server"));
    Files.writeString(server.resolve("libjvm.so"), "");
    assertThat(archive.options(directory.resolve("jlinked"))).isEmpty();
    Files.writeString(server.resolve("classes_nocoops.jsa"), "");
    assertThat(archive.options(directory.resolve("jlinked"))).isNotEmpty();
  }

  @Test
  void anArchiveThatIsNoneKeepsNoProgramFromStarting() throws Exception {
    Path jar = jar(Ender.class);
    ClassArchive archive = archive(jar);
    assertThat(archive.options()).isNotEmpty();
    Files.writeString(archive.file(), "torn");
    assertThat(lives(archive, jar)).contains(Ender.class.getName());
  }

  private ClassArchive archive(Path jar) {
    return ClassArchive.in(directory.resolve("classes"), "ender", jar.toString());
  }

  private Path jar(Class<?> main) throws IOException {
    Path jar = directory.resolve("ender.jar");
    String name = main.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        InputStream bytes =
            Objects.requireNonNull(main.getClassLoader().getResourceAsStream(name))) {
      out.putNextEntry(new JarEntry(name));
      bytes.transferTo(out);
      out.closeEntry();
    }
    return jar;
  }

  /** Runs the program to its end; which classes it has loaded, from where. */
  private String lives(ClassArchive archive, Path jar) throws Exception {
    Path log = directory.resolve("loaded.log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(archive.options());
    command.add("-Xlog:class+load=info:file=" + log);
    command.addAll(List.of("-cp", jar.toString(), Ender.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    assertThat(directory.resolve("out")).isEmptyFile();
    return Files.readString(log, StandardCharsets.UTF_8);
  }
}
