package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.doubles;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The golden traces of the policies that are told of pairs of gradients, from gradient.py. */
final class GradientVectors {
  private GradientVectors() {}

  static void regroupAndBalance(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      Map<String, String> settings = settings(golden);
      Golden.put(settings, "evaluation", doubles(golden.get("evaluation")));
      var trace = new PolicyTrace("r-and-b", settings, doubles(golden.get("initial_weights")));
      for (JsonNode step : golden.get("steps")) {
        trace.observe(step.get("step").longValue(), doubles(step.get("gram")));
        String what = PolicyVectors.what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
      }
    }
  }

  static void grape(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      double[] initial = doubles(golden.get("initial_weights"));
      Map<String, String> settings = settings(golden);
      List<String> targets = new ArrayList<>();
      for (JsonNode target : golden.get("targets")) {
        targets.add(Golden.domains(initial.length).get(target.intValue()));
      }
      settings.put("target", String.join(" ", targets));
      var trace = new PolicyTrace("grape", settings, initial);
      for (JsonNode step : golden.get("steps")) {
        trace.observe(
            Observation.at(step.get("step").longValue())
                .with(Metrics.GRADIENT_PRODUCT, doubles(step.get("product")))
                .with(Metrics.EVAL_LOSS, doubles(step.get("eval_loss"))));
        String what = PolicyVectors.what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
      }
    }
  }

  static void pike(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      int batch = golden.get("batch").intValue();
      var trace =
          new PolicyTrace(
              "pike",
              settings(golden),
              doubles(golden.get("initial_weights")),
              new Cadence(1, 0, new TreeMap<>(Map.of(1L, batch)), 0));
      for (JsonNode step : golden.get("steps")) {
        double[] squares = doubles(step.get("square"));
        double[] variances = doubles(step.get("variance"));
        double[] moments = Arrays.copyOf(squares, 2 * squares.length);
        System.arraycopy(variances, 0, moments, squares.length, variances.length);
        trace.observe(step.get("step").longValue(), moments);
        String what = PolicyVectors.what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
      }
    }
  }

  private static Map<String, String> settings(JsonNode golden) {
    Map<String, String> settings = new TreeMap<>();
    golden
        .get("params")
        .properties()
        .forEach(param -> settings.put(param.getKey(), param.getValue().asText()));
    return settings;
  }
}
