package io.sluice.mixture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.targets.LawVectors;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every file of golden vectors, at the tolerances written in it. */
class GoldenVectorsTest {
  private static final Map<String, Consumer<JsonNode>> READERS =
      Map.ofEntries(
          Map.entry("velocitune.json", PolicyVectors::velocitune),
          Map.entry("dbl_sheared_llama.json", PolicyVectors::dynamicBatchLoading),
          Map.entry("dga.json", PolicyVectors::dga),
          Map.entry("syne_topic_mixture.json", PolicyVectors::topicPerplexity),
          Map.entry("odm.json", BanditVectors::odm),
          Map.entry("doremi.json", BanditVectors::doremi),
          Map.entry("doge.json", BanditVectors::doge),
          Map.entry("importance_sampling.json", DataVectors::importanceSampling),
          Map.entry("apportionment.json", DataVectors::apportionment),
          Map.entry("ppl_curriculum.json", DataVectors::curriculum),
          Map.entry("scaling_law.json", LawVectors::all),
          Map.entry("ado.json", BanditVectors::ado),
          Map.entry("ucb.json", BanditVectors::ucb),
          Map.entry("r_and_b.json", GradientVectors::regroupAndBalance),
          Map.entry("grape.json", GradientVectors::grape),
          Map.entry("pike.json", GradientVectors::pike),
          Map.entry("aioli.json", ProbingVectors::aioli));

  static List<String> files() throws IOException {
    return Golden.files();
  }

  @ParameterizedTest
  @MethodSource("files")
  void followsEveryVectorOf(String file) {
    assertThat(READERS).as("readers").containsKey(file);
    READERS.get(file).accept(Golden.read(file));
  }

  @Test
  void generatesTheNumbersThatTheRecipesCallFor() {
    var random = new Golden.Lcg(42);
    double[] first = new double[5];
    for (int i = 0; i < first.length; i++) {
      first[i] = random.uniform(0, 1);
    }
    double[] expected = Golden.doubles(Golden.read("dga.json").get("lcg_probe_seed42_first5"));
    assertThat(first).containsExactly(expected);
  }
}
