package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.assertSummary;
import static io.sluice.mixture.Golden.doubles;
import static io.sluice.mixture.PolicyVectors.draw;
import static io.sluice.mixture.PolicyVectors.what;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The golden traces of the policies that learn from training itself. */
final class BanditVectors {
  private BanditVectors() {}

  static void odm(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      JsonNode params = golden.get("params");
      int k = params.get("k").intValue();
      double[] uniform = new double[k];
      Arrays.fill(uniform, 1.0 / k);
      var trace = odmTrace(params, uniform);
      for (JsonNode step : golden.get("steps")) {
        double[] losses = new double[k];
        Arrays.fill(losses, Double.NaN);
        for (JsonNode reward : step.get("rewards")) {
          losses[reward.get(0).intValue()] = reward.get(1).doubleValue();
        }
        trace.observe(step.get("iteration").longValue(), losses);
        String what = what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
        JsonNode rewards =
            step.has("estimated_reward")
                ? step.get("estimated_reward")
                : step.get("cumulative_reward");
        assertClose(trace.scores(), doubles(rewards), what);
      }
    }
    largeOdm(file.get("large"));
  }

  static void ucb(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      Map<String, String> settings = new TreeMap<>();
      golden
          .get("params")
          .properties()
          .forEach(param -> settings.put(param.getKey(), param.getValue().asText()));
      TreeMap<Long, Integer> sizes = new TreeMap<>(Map.of(1L, golden.get("batch").intValue()));
      Cadence cadence = new Cadence(golden.get("every").longValue(), 0, sizes, 0);
      double[] initial = doubles(golden.get("initial_weights"));
      var trace = new PolicyTrace("ucb", settings, initial, cadence);
      for (JsonNode step : golden.get("steps")) {
        double[] measured = new double[initial.length];
        for (int i = 0; i < measured.length; i++) {
          measured[i] = step.get("measured").get(i).asDouble(Double.NaN);
        }
        trace.observe(step.get("step").longValue(), measured);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what(golden, step));
      }
    }
  }

  private static PolicyTrace odmTrace(JsonNode params, double[] initial) {
    Map<String, String> settings = new TreeMap<>();
    if (params.has("smoothing")) {
      settings.put("smoothing", params.get("smoothing").asText());
    }
    String method = params.get("method").textValue();
    if (method.equals("paper_importance_weighted_ema")) {
      return new PolicyTrace("odm-paper", settings, initial);
    }
    boolean single = params.has("mode") && params.get("mode").textValue().equals("single");
    settings.put("update", method.replace('_', '-') + (single ? "-single" : ""));
    settings.put("warm-up", "0");
    return new PolicyTrace("odm", settings, initial);
  }

  private static void largeOdm(JsonNode large) {
    int k = large.get("k").intValue();
    double[] uniform = new double[k];
    Arrays.fill(uniform, 1.0 / k);
    String smoothing = large.get("smoothing").asText();
    var trace = new PolicyTrace("odm", Map.of("smoothing", smoothing), uniform);
    var random = new Golden.Lcg(large.get("seed").longValue());
    long first = large.get("first_iteration").longValue();
    for (int update = 0; update < large.get("updates").intValue(); update++) {
      trace.observe(first + update, draw(random, k, 1, 3));
    }
    assertSummary(trace.shares(), large.get("expected_final"), "large");
  }

  static void doremi(JsonNode file) {
    JsonNode tokens = file.get("token_level_score");
    double[] expected = doubles(tokens.get("expected_scores"));
    for (int i = 0; i < expected.length; i++) {
      double[] excess = doubles(tokens.get("excess_token_losses").get(i));
      double sum = Arrays.stream(excess).map(e -> Math.max(e, 0)).sum();
      Observation measured =
          Observation.at(1)
              .with(Metrics.EXCESS_LOSS, new double[] {sum}, new long[] {excess.length});
      var trace = new PolicyTrace("doremi", Map.of(), new double[] {1}).observe(measured);
      assertClose(trace.scores()[0], expected[i], "score of domain " + i);
    }
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      JsonNode params = golden.get("params");
      Map<String, String> settings = new TreeMap<>();
      settings.put("eta", params.get("eta").asText());
      settings.put("floor", params.get("eps").asText());
      settings.put("vocabulary", params.get("vocab_size").asText());
      double[] initial = doubles(golden.get("initial_weights"));
      var current = new PolicyTrace("doremi", settings, initial);
      settings.put("result", "average");
      var average = new PolicyTrace("doremi", settings, initial);
      for (JsonNode step : golden.get("steps")) {
        double[] scores = doubles(step.get("domain_score"));
        current.observe(step.get("step").longValue(), scores);
        average.observe(step.get("step").longValue(), scores);
        String what = what(golden, step);
        assertClose(current.shares(), doubles(step.get("expected_weights")), what);
        assertClose(average.shares(), doubles(step.get("expected_avg_weights")), what);
      }
    }
  }

  static void doge(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      JsonNode params = golden.get("params");
      Map<String, String> settings = new TreeMap<>();
      settings.put("mu", params.get("mu").asText());
      settings.put("floor", params.get("reweight_eps").asText());
      settings.put("low", params.get("dw_min").asText());
      settings.put("high", params.get("dw_max").asText());
      double[] initial = doubles(golden.get("initial_weights"));
      var current = new PolicyTrace("doge", settings, initial);
      settings.put("result", "average");
      var average = new PolicyTrace("doge", settings, initial);
      for (JsonNode step : golden.get("steps")) {
        Observation measured = gradients(step, initial.length);
        current.observe(measured);
        average.observe(measured);
        String what = what(golden, step);
        assertClose(current.scores(), doubles(step.get("expected_scores")), what);
        assertClose(current.shares(), doubles(step.get("expected_weights")), what);
        assertClose(average.shares(), doubles(step.get("expected_avg_weights")), what);
      }
    }
  }

  private static Observation gradients(JsonNode step, int k) {
    double[] norms = new double[k];
    double[] rates = new double[k];
    Arrays.fill(norms, step.get("mean_grad_norm").doubleValue());
    Arrays.fill(rates, step.get("lr").doubleValue());
    return Observation.at(step.get("step").longValue())
        .with(Metrics.ALIGNMENT, doubles(step.get("dot_sum")))
        .with(Metrics.GRADIENT_NORM, norms)
        .with(Metrics.LEARNING_RATE, rates);
  }

  static void ado(JsonNode file) {
    Golden.list(file.get("official_cases")).forEach(golden -> ado(golden, "official"));
    Golden.list(file.get("mixtera_cases")).forEach(golden -> ado(golden, "mixtera"));
  }

  private static void ado(JsonNode golden, String form) {
    double[] prior = doubles(golden.get("prior_mu"));
    var trace = new PolicyTrace("ado", adoSettings(golden.get("params"), form), prior);
    for (JsonNode step : golden.get("steps")) {
      JsonNode at = step.has("itr") ? step.get("itr") : step.get("total_steps");
      double[] counts = doubles(step.get("counts"));
      long[] samples = Arrays.stream(counts).mapToLong(count -> (long) count).toArray();
      trace.observe(Observation.at(at.longValue()).with(Metrics.TRAIN_LOSS, counts, samples));
      JsonNode expected = step.get("expected_weights");
      assertClose(
          trace.shares(), expected.isNull() ? prior : doubles(expected), what(golden, step));
    }
  }

  private static Map<String, String> adoSettings(JsonNode params, String form) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("form", form);
    settings.put("start", params.get("start_step").asText());
    settings.put("same-size", params.get("use_same_step_size").asText());
    boolean official = form.equals("official");
    settings.put("min-share", params.get(official ? "min_prob" : "delta_min").asText());
    JsonNode newest = official ? params.get("mix").get(1) : params.get("gamma2");
    settings.put("newest", newest.asText());
    if (!official) {
      settings.put("history", params.get("gamma1").asText());
    }
    JsonNode laws = params.get("scaling_law_log_beta__log_eps__alpha");
    double[] scales = new double[laws.size()];
    double[] exponents = new double[laws.size()];
    for (int i = 0; i < scales.length; i++) {
      scales[i] = Math.exp(laws.get(i).get(0).doubleValue());
      exponents[i] = laws.get(i).get(2).doubleValue();
    }
    Golden.put(settings, "law-scale", scales);
    Golden.put(settings, "law-exponent", exponents);
    return settings;
  }
}
