package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.assertSummary;
import static io.sluice.mixture.Golden.doubles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The golden traces of the policies that move weights by exponentiated gradient. */
final class PolicyVectors {
  private PolicyVectors() {}

  static void velocitune(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      JsonNode params = golden.get("params");
      Map<String, String> settings = new TreeMap<>();
      Golden.put(settings, "initial", doubles(golden.get("loss_init")));
      settings.put("eta", params.get("eta").asText());
      settings.put("floor", params.get("floor_c").asText());
      settings.put("clamp", params.get("clamp").asText());
      settings.put("use-target", params.get("use_target").asText());
      Golden.put(settings, "targets", doubles(golden.get("loss_target")));
      var trace = new PolicyTrace("velocitune", settings, doubles(golden.get("initial_weights")));
      for (JsonNode step : golden.get("steps")) {
        trace.observe(step.get("step").longValue(), doubles(step.get("eval_loss")));
        String what = what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
        assertClose(trace.scores(), doubles(step.get("velocity")), what);
      }
    }
    largeVelocitune(file.get("large"));
  }

  private static void largeVelocitune(JsonNode large) {
    int k = large.get("k").intValue();
    var random = new Golden.Lcg(large.get("seed").longValue());
    double[] initial = draw(random, k, 1.5, 3.0);
    double[] targets = new double[k];
    for (int i = 0; i < k; i++) {
      targets[i] = initial[i] - random.uniform(0.05, 0.5);
    }
    Map<String, String> settings = new TreeMap<>();
    Golden.put(settings, "initial", initial);
    Golden.put(settings, "targets", targets);
    var trace = new PolicyTrace("velocitune", settings, Golden.sevenths(k));
    for (int update = 1; update <= large.get("updates").intValue(); update++) {
      double[] losses = new double[k];
      for (int i = 0; i < k; i++) {
        losses[i] = targets[i] + (initial[i] - targets[i]) * random.uniform(-0.1, 1.1);
      }
      trace.observe(update, losses);
    }
    assertSummary(trace.shares(), large.get("expected_final"), "large");
  }

  static void dynamicBatchLoading(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      JsonNode params = golden.get("params");
      Map<String, String> settings = new TreeMap<>();
      Golden.put(settings, "targets", doubles(golden.get("target_loss")));
      String update = params.get("update_type").textValue();
      if (update.equals("paper")) {
        settings.put("preset", "paper");
      } else {
        settings.put("update", update);
      }
      settings.put("eta", params.get("eta").asText());
      settings.put("floor", params.get("c").asText());
      settings.put("clip", params.get("clip_negative").asText());
      var trace =
          new PolicyTrace(
              "dynamic-batch-loading", settings, doubles(golden.get("initial_weights")));
      for (JsonNode step : golden.get("steps")) {
        trace.observe(step.get("step").longValue(), doubles(step.get("eval_loss")));
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what(golden, step));
      }
    }
    JsonNode large = file.get("large");
    int k = large.get("k").intValue();
    var random = new Golden.Lcg(large.get("seed").longValue());
    double[] targets = draw(random, k, 1.0, 2.5);
    Map<String, String> settings = new TreeMap<>(Map.of("preset", "official"));
    Golden.put(settings, "targets", targets);
    var trace = new PolicyTrace("dynamic-batch-loading", settings, Golden.sevenths(k));
    for (int update = 1; update <= large.get("updates").intValue(); update++) {
      double[] losses = new double[k];
      for (int i = 0; i < k; i++) {
        losses[i] = targets[i] + random.uniform(-0.2, 0.8);
      }
      trace.observe(update, losses);
    }
    assertSummary(trace.shares(), large.get("expected_final"), "large");
  }

  static void dga(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      double[] initial = doubles(golden.get("initial_weights"));
      if (golden.has("P_k_by_N")) {
        distributions(golden, initial);
      } else if (golden.get("params").get("sign").doubleValue() < 0) {
        assertThatThrownBy(() -> align(golden, initial)).isInstanceOf(AssertionError.class);
      } else {
        align(golden, initial);
      }
    }
    JsonNode large = file.get("large");
    int k = large.get("k").intValue();
    double[] initial = Golden.sevenths(k);
    String eta = large.get("eta").asText();
    String beta = large.get("beta").asText();
    var random = new Golden.Lcg(large.get("seed").longValue());
    var plain = new PolicyTrace("dga", Map.of("eta", eta, "beta", "1"), initial);
    var averaged = new PolicyTrace("dga", Map.of("eta", eta, "beta", beta), initial);
    for (int update = 1; update <= large.get("updates").intValue(); update++) {
      double[] alignments = draw(random, k, -1, 1);
      plain.observe(update, alignments);
      averaged.observe(update, alignments);
    }
    assertSummary(plain.shares(), large.get("expected_final_alpha"), "large alpha");
    assertSummary(averaged.shares(), large.get("expected_final_alpha_ema"), "large average");
  }

  private static void align(JsonNode golden, double[] initial) {
    String eta = golden.get("params").get("eta").asText();
    String beta = golden.get("params").get("beta").asText();
    var plain = new PolicyTrace("dga", Map.of("eta", eta, "beta", "1"), initial);
    var averaged = new PolicyTrace("dga", Map.of("eta", eta, "beta", beta), initial);
    for (JsonNode step : golden.get("steps")) {
      double[] alignments = doubles(step.get("alignment"));
      plain.observe(step.get("t").longValue(), alignments);
      averaged.observe(step.get("t").longValue(), alignments);
      String what = what(golden, step);
      assertClose(plain.shares(), doubles(step.get("expected_alpha")), what);
      assertClose(averaged.shares(), doubles(step.get("expected_alpha_ema")), what);
    }
  }

  private static void distributions(JsonNode golden, double[] initial) {
    JsonNode matrix = golden.get("P_k_by_N");
    int k = matrix.size();
    List<String> domains = Golden.domains(k);
    Map<String, String> settings = new TreeMap<>();
    settings.put("eta", golden.get("params").get("eta").asText());
    settings.put("beta", golden.get("params").get("beta").asText());
    for (int j = 0; j < initial.length; j++) {
      List<String> column = new ArrayList<>();
      for (int i = 0; i < k; i++) {
        column.add(domains.get(i) + "=" + matrix.get(i).get(j).asText());
      }
      String name = Golden.domains(initial.length).get(j);
      settings.put("basis." + name, String.join(" ", column));
      settings.put("initial." + name, Double.toString(initial[j]));
    }
    var trace = new PolicyTrace("dga-distribution", settings, new double[k]);
    assertThat(trace.policy().axis("alignment").names(domains)).hasSize(initial.length);
    assertClose(
        trace.policy().startingShares(new double[k]),
        doubles(golden.get("expected_initial_alpha_domain")),
        "initial");
    for (JsonNode step : golden.get("steps")) {
      trace.observe(step.get("t").longValue(), doubles(step.get("alignment")));
      assertClose(trace.shares(), doubles(step.get("expected_alpha_domain")), what(golden, step));
    }
  }

  static void topicPerplexity(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      String alpha = golden.get("params").get("alpha").asText();
      var trace =
          new PolicyTrace(
              "topic-perplexity",
              Map.of("alpha", alpha, "metric", "perplexity"),
              doubles(golden.get("initial_weights")));
      trace.observe(0, doubles(golden.get("ppl_by_round").get(0)));
      for (JsonNode step : golden.get("steps")) {
        int round = step.get("round").intValue();
        trace.observe(round, doubles(golden.get("ppl_by_round").get(round)));
        String what = what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
        assertClose(trace.scores(), doubles(step.get("delta_p")), what);
      }
    }
    JsonNode large = file.get("large");
    int k = large.get("k").intValue();
    var random = new Golden.Lcg(large.get("seed").longValue());
    double[] perplexities = draw(random, k, 5, 20);
    String alpha = large.get("alpha").asText();
    var trace =
        new PolicyTrace(
            "topic-perplexity", Map.of("alpha", alpha, "metric", "perplexity"), Golden.sevenths(k));
    trace.observe(0, perplexities);
    for (int round = 1; round <= large.get("rounds").intValue(); round++) {
      for (int i = 0; i < k; i++) {
        perplexities[i] *= 1 + random.uniform(-0.06, 0.03);
      }
      trace.observe(round, perplexities);
    }
    assertSummary(trace.shares(), large.get("expected_final"), "large");
  }

  static double[] draw(Golden.Lcg random, int k, double low, double high) {
    double[] values = new double[k];
    for (int i = 0; i < k; i++) {
      values[i] = random.uniform(low, high);
    }
    return values;
  }

  static String what(JsonNode golden, JsonNode step) {
    return golden.get("name").textValue() + " " + step;
  }
}
