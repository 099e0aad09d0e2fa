package io.sluice.mixture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.StreamSupport;

/** Golden vectors: the cases of a file, and the tolerance they are compared with. */
public final class Golden {
  private Golden() {}

  public static List<JsonNode> cases(String file) throws IOException {
    try (InputStream in = Golden.class.getResourceAsStream("/golden/" + file)) {
      JsonNode cases = new ObjectMapper().readTree(in).get("cases");
      assertThat(cases).isNotEmpty();
      return StreamSupport.stream(cases.spliterator(), false).toList();
    }
  }

  /** Numbers of an array; null becomes NaN. */
  public static double[] doubles(JsonNode array) {
    double[] values = new double[array.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i).isNull() ? Double.NaN : array.get(i).doubleValue();
    }
    return values;
  }

  /** |got − expected| ≤ 1e-15 + 1e-12 · |expected|, for each. */
  public static void assertClose(double[] got, double[] expected, String what) {
    assertThat(got).as(what).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      assertThat(Math.abs(got[i] - expected[i]))
          .as("%s[%s]: %s, expected %s", what, i, got[i], expected[i])
          .isLessThanOrEqualTo(1e-15 + 1e-12 * Math.abs(expected[i]));
    }
  }
}
