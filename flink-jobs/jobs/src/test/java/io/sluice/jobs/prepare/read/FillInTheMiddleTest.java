package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.DatasetSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FillInTheMiddleTest {
  private static final Tokenizer BYTES = Tokenizers.forName("bytes");

  /** Of 4,000 texts: their shares, and that each is whole when its parts are put back. */
  @Test
  void theMiddleGoesToTheEndAndNothingIsLost() {
    FillInTheMiddle gaps = new FillInTheMiddle(spec(0.6, 0.25), BYTES);
    int prefixFirst = 0;
    int suffixFirst = 0;
    for (int i = 0; i < 4000; i++) {
      String text = "été \uD83D\uDE00 ".repeat(20 + i % 4) + i;
      String found = text(gaps.encode(text));
      if (found.charAt(0) != 1) {
        assertThat(found).isEqualTo(text);
        continue;
      }
      int suffix = found.indexOf(2);
      int middle = found.indexOf(3);
      suffixFirst += suffix == 1 ? 1 : 0;
      prefixFirst += suffix == 1 ? 0 : 1;
      assertThat(
              found.substring(1, suffix)
                  + found.substring(middle + 1)
                  + found.substring(suffix + 1, middle))
          .isEqualTo(text);
    }
    assertThat((prefixFirst + suffixFirst) / 4000.0).isBetween(0.57, 0.63);
    assertThat(suffixFirst / (double) (prefixFirst + suffixFirst)).isBetween(0.22, 0.3);
  }

  @Test
  void whatIsDrawnFollowsFromTheContentAndTheSeed() {
    FillInTheMiddle gaps = new FillInTheMiddle(spec(1, 0.5), BYTES);
    List<byte[]> again = new ArrayList<>();
    for (int i : new int[] {3, 1, 2, 1, 3}) {
      again.add(gaps.encode("document " + i));
    }
    assertThat(again.get(0)).isEqualTo(again.get(4));
    assertThat(again.get(1)).isEqualTo(again.get(3));
    FillInTheMiddle seeded =
        new FillInTheMiddle(DatasetSpec.newBuilder(spec(1, 0.5)).setSeed(8).build(), BYTES);
    assertThat(IntStream.range(0, 20).mapToObj(i -> "document " + i))
        .anyMatch(text -> !text(seeded.encode(text)).equals(text(gaps.encode(text))));
  }

  static List<JsonNode> vectors() throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/dataset.json");
    List<JsonNode> vectors = new ArrayList<>();
    new ObjectMapper().readTree(file.toFile()).get("gaps").forEach(vectors::add);
    return vectors;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void gapsAreThoseOfTheProtocol(JsonNode vector) {
    DatasetSpec spec =
        DatasetSpec.newBuilder(
                spec(vector.get("fimRate").doubleValue(), vector.get("fimSpm").doubleValue()))
            .setSeed(vector.get("seed").longValue())
            .build();
    byte[] found = new FillInTheMiddle(spec, BYTES).encode(vector.get("text").textValue());
    List<Integer> tokens = new ArrayList<>();
    for (int i = 0; i < found.length; i += 2) {
      tokens.add(found[i] & 0xFF);
    }
    List<Integer> expected = new ArrayList<>();
    vector.get("tokens").forEach(token -> expected.add(token.intValue()));
    assertThat(tokens).isEqualTo(expected);
  }

  @Test
  void withoutARateAndWithoutATextNothingChanges() {
    assertThat(new FillInTheMiddle(spec(0, 0), BYTES).encode("text"))
        .isEqualTo(BYTES.encode("text"));
    assertThat(new FillInTheMiddle(spec(1, 0), BYTES).encode("")).isEmpty();
  }

  private static String text(byte[] tokens) {
    byte[] bytes = new byte[tokens.length / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = tokens[2 * i];
    }
    return TestingDatasets.utf8(bytes);
  }

  private static DatasetSpec spec(double rate, double spm) {
    return DatasetSpec.newBuilder(TestingDatasets.dataset(8, 1, 0))
        .setFimRate(rate)
        .setFimSpm(spm)
        .setFimTokens(List.of(1, 2, 3))
        .build();
  }
}
