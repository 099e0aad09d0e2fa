package io.sluice.mixture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Golden vectors: JSON files, and the tolerances that they are compared with. */
public final class Golden {
  private Golden() {}

  /** The directory of the vectors: {@code -Dgolden.dir}, or the test resources. */
  public static Path directory() {
    String given = System.getProperty("golden.dir", "");
    try {
      return given.isEmpty()
          ? Path.of(Golden.class.getResource("/golden").toURI())
          : Path.of(given);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Names of all files, sorted. */
  public static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".json"))
          .sorted()
          .toList();
    }
  }

  public static JsonNode read(String file) {
    try {
      return new ObjectMapper().readTree(directory().resolve(file).toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<JsonNode> list(JsonNode array) {
    assertThat(array).isNotEmpty();
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  /** Numbers of an array; null becomes NaN. */
  public static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).isNull() ? Double.NaN : array.get(i).doubleValue();
    }
    return values;
  }

  /** Names d0000, d0001, …: their alphabetical order is their order. */
  public static List<String> domains(int k) {
    return IntStream.range(0, k).mapToObj("d%06d"::formatted).toList();
  }

  /** Settings {@code key.<domain>}. */
  public static void put(Map<String, String> settings, String key, double[] values) {
    List<String> domains = domains(values.length);
    for (int i = 0; i < values.length; i++) {
      settings.put(key + "." + domains.get(i), Double.toString(values[i]));
    }
  }

  /** |got − expected| ≤ 1e-15 + 1e-12 · |expected|, for each. */
  public static void assertClose(double[] got, double[] expected, String what) {
    assertThat(got).as(what).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      assertClose(got[i], expected[i], what + "[" + i + "]");
    }
  }

  /** |got − expected| ≤ 1e-15 + 1e-12 · |expected|. */
  public static void assertClose(double got, double expected, String what) {
    assertWithin(got, expected, 1e-15 + 1e-12 * Math.abs(expected), what);
  }

  public static void assertWithin(double got, double expected, double tolerance, String what) {
    assertThat(Math.abs(got - expected))
        .as("%s: %s, expected %s", what, got, expected)
        .isLessThanOrEqualTo(tolerance);
  }

  /** A vector of thousands of weights, by the summary that the file has of it. */
  public static void assertSummary(double[] got, JsonNode expected, String what) {
    assertThat(got).hasSize(expected.get("k").intValue());
    expected
        .get("at")
        .properties()
        .forEach(
            at ->
                assertClose(got[Integer.parseInt(at.getKey())], at.getValue().doubleValue(), what));
    double sum = 0;
    double moment = 0;
    double entropy = 0;
    int largest = 0;
    double min = Double.POSITIVE_INFINITY;
    for (int i = 0; i < got.length; i++) {
      sum += got[i];
      moment += (i + 1) * got[i];
      entropy -= got[i] > 0 ? got[i] * Math.log(got[i]) : 0;
      largest = got[i] > got[largest] ? i : largest;
      min = Math.min(min, got[i]);
    }
    // Sums of thousands of terms depend on the order in which they are added.
    assertWithin(sum, expected.get("sum").doubleValue(), 1e-12, what + " sum");
    assertWithin(moment, expected.get("sum_i_times_w").doubleValue(), 1e-9, what + " moment");
    assertWithin(entropy, expected.get("entropy_nats").doubleValue(), 1e-11, what + " entropy");
    assertClose(got[largest], expected.get("max").doubleValue(), what + " max");
    assertClose(min, expected.get("min").doubleValue(), what + " min");
    double atArgmax = got[expected.get("argmax").intValue()];
    assertClose(atArgmax, expected.get("max").doubleValue(), what + " argmax");
  }

  /** The generator of the recipes. */
  public static final class Lcg {
    private long state;

    public Lcg(long seed) {
      state = seed;
    }

    public double uniform(double low, double high) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      return low + (high - low) * ((state >>> 11) * 0x1p-53);
    }
  }

  /** The recipes' initial weights, {@code (i mod 7 + 1) / sum}. */
  public static double[] sevenths(int k) {
    double[] shares = IntStream.range(0, k).mapToDouble(i -> i % 7 + 1).toArray();
    double sum = 0;
    for (double share : shares) {
      sum += share;
    }
    for (int i = 0; i < k; i++) {
      shares[i] /= sum;
    }
    return shares;
  }
}
