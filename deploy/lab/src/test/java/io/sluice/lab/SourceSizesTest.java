package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Files and packages of main code are small enough to be taken in at once. */
final class SourceSizesTest {
  private static final Path ROOT = Path.of("../..");
  private static final int MOST_LINES = 400;
  private static final int LINES_OF_NINE_TENTHS = 175;
  private static final int MOST_TYPES = 20;

  private static final Map<Path, Long> LINES = new TreeMap<>();

  static {
    for (String folder : new String[] {"schemas", "flink-jobs", "trainer-bridge", "deploy"}) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files.filter(SourceSizesTest::isMain).forEach(file -> LINES.put(file, lines(file)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static boolean isMain(Path file) {
    String path = file.toString();
    return path.contains("/src/main/java/")
        && path.endsWith(".java")
        && !path.endsWith("/package-info.java");
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void allOfTheModulesAreThere() {
    assertThat(LINES).hasSizeGreaterThan(500);
  }

  @Test
  void noFileIsLong() {
    assertThat(above(MOST_LINES)).isEmpty();
  }

  @Test
  void nineOfTenFilesAreShort() {
    Map<Path, Long> longer = above(LINES_OF_NINE_TENTHS);
    assertThat(longer.size())
        .as("files above %d lines: %s", LINES_OF_NINE_TENTHS, longer)
        .isLessThanOrEqualTo(LINES.size() / 10);
  }

  @Test
  void noPackageHasManyTypes() {
    Map<Path, Long> types =
        LINES.keySet().stream()
            .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
    types.values().removeIf(count -> count <= MOST_TYPES);
    assertThat(types).isEmpty();
  }

  private static Map<Path, Long> above(int lines) {
    Map<Path, Long> longer = new TreeMap<>(LINES);
    longer.values().removeIf(count -> count <= lines);
    return longer;
  }
}
