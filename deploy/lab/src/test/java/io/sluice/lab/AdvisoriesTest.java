package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nothing on the class path has a version that the project knows to be vulnerable. */
final class AdvisoriesTest {
  private static final List<Advisory> LISTED = new ArrayList<>();

  /**
   * Versions of an artifact from one on, until the first without the fault.
   *
   * @param place of the artifact below Maven's repository
   */
  private record Advisory(Path place, String from, Optional<String> fixed, String id) {
    /** Whether it is about a jar, which lies in a folder of its version. */
    boolean names(Path jar) {
      Path folder = jar.getParent();
      String version = folder.getFileName().toString();
      return folder.getParent().endsWith(place)
          && compare(from, version) <= 0
          && fixed.map(first -> compare(version, first) < 0).orElse(true);
    }

    private static int compare(String version, String other) {
      return Arrays.compare(numbers(version), numbers(other));
    }

    private static int[] numbers(String version) {
      return Stream.of(version.split("[^0-9]+", 0)).mapToInt(Integer::parseInt).toArray();
    }
  }

  @BeforeAll
  static void read() throws IOException {
    File file = Path.of("..", "release", "advisories.json").toFile();
    for (JsonNode row : new ObjectMapper().readTree(file).required("maven")) {
      String[] artifact = row.required("package").asText().split(":", 2);
      LISTED.add(
          new Advisory(
              Path.of(artifact[0].replace('.', '/'), artifact[1]),
              row.required("from").asText(),
              Optional.ofNullable(row.get("fixed")).map(JsonNode::asText),
              row.required("advisory").asText()));
    }
  }

  @Test
  void theClassPathHasNoneOfThem() {
    List<Path> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith(".jar"))
            .map(Path::of)
            .toList();
    assertThat(jars).anyMatch(jar -> jar.getParent().getParent().endsWith("avro/avro"));
    assertThat(jars.stream().flatMap(jar -> listed(jar).map(id -> jar.getFileName() + " " + id)))
        .isEmpty();
  }

  @Test
  void aVersionIsListedUntilItsFaultIsMended() {
    assertThat(log4j("log4j-core", "2.25.2")).containsExactly("CVE-2025-68161", "CVE-2026-34477");
    assertThat(log4j("log4j-core", "2.25.3")).containsExactly("CVE-2026-34477");
    assertThat(log4j("log4j-core", "2.25.4")).isEmpty();
    assertThat(log4j("log4j-api", "2.25.2")).isEmpty();
    assertThat(listed(Path.of("m2/org/lz4/lz4-java/1.8.0/lz4-java-1.8.0.jar"))).hasSize(1);
  }

  private static Stream<String> log4j(String name, String version) {
    Path folder = Path.of("repository/org/apache/logging/log4j", name, version);
    return listed(folder.resolve(name + "-" + version + ".jar"));
  }

  private static Stream<String> listed(Path jar) {
    return LISTED.stream().filter(each -> each.names(jar)).map(Advisory::id);
  }
}
