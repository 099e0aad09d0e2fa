package io.sluice.refine.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.control.error.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HistogramsTest {
  private static final String MODEL = "ab".repeat(32);

  @TempDir private Path folder;

  @Test
  void isReadAsItWasWritten() throws IOException {
    Histogram histogram = Histogram.of(MODEL, Map.of(5, 2L, 64, 1L, 7, 0L));

    Histogram read = read(histogram.json().toString());

    assertThat(read).isEqualTo(histogram);
    assertThat(histogram.json().toString())
        .startsWith("{\"clusters\":\"abab")
        .endsWith(
            "\"documents\":3,\"weights\":{\"5\":0.6666666666666666,\"64\":0.3333333333333333}}");
    assertThat(read.count(5)).isEqualTo(2);
    assertThat(read.weight(6)).isZero();
  }

  @Test
  void sumsClustersBelowOthers() {
    ClusterTree tree = Hierarchy.fit(Points.blobs(500, 4, 9, 0.3, 1), 4, 2, 1, l -> {}).tree();
    Histogram histogram = Histogram.of(MODEL, Map.of(0, 1L, 3, 2L, 15, 5L));

    Histogram top = histogram.above(tree, 1);

    assertThat(top.weights()).containsOnlyKeys(0, 3);
    assertThat(top.weight(0)).isCloseTo(3.0 / 8, within(1e-12));
    assertThat(top.documents()).isEqualTo(8);
  }

  @Test
  void refusesWhatIsNone() throws IOException {
    String head = "{\"clusters\":\"" + MODEL + "\",\"documents\":1,\"weights\":";
    refused("[]", "it must be a map of a text 'clusters'");
    refused(head + "{}}", "must add up to 1: found 0.0");
    refused(head + "{\"1\":0.4,\"2\":0.5}}", "must add up to 1: found 0.9");
    refused(head + "{\"1\":-1,\"2\":2}}", "must be shares above 0 by cluster: found 1=-1.0");
    refused(head + "{\"01\":1}}", "must be numbers by id of a cluster: found 01=1");
    refused(head + "{\"1\":0.5,\"1\":0.5}}", "must be JSON: Duplicate field '1'");
    refused(head + "{\"1\":NaN}}", "must be JSON");
    refused(head.replace("ab", "AB") + "{\"1\":1}}", "clusters must be a model's hash");
    refused(head.replace("1,", "0,") + "{\"1\":1}}", "at least 1 document: found 0");
    assertThatThrownBy(() -> Histograms.read(folder.resolve("none.json")))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("cannot be read");
    assertThatThrownBy(() -> Histogram.of(MODEL, new TreeMap<>()))
        .hasMessage("a histogram must have at least 1 document: found 0");
  }

  private void refused(String json, String reason) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private Histogram read(String json) throws IOException {
    return Histograms.read(Files.writeString(folder.resolve("h.json"), json));
  }
}
