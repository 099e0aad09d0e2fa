package io.sluice.mixture;

import static io.sluice.mixture.Golden.assertClose;
import static io.sluice.mixture.Golden.doubles;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The golden traces of the policy that tries mixtures, from aioli.py. */
final class ProbingVectors {
  private ProbingVectors() {}

  static void aioli(JsonNode file) {
    for (JsonNode golden : Golden.list(file.get("cases"))) {
      Map<String, String> settings = new TreeMap<>();
      golden
          .get("params")
          .properties()
          .forEach(param -> settings.put(param.getKey(), param.getValue().asText()));
      var trace = new PolicyTrace("aioli", settings, doubles(golden.get("initial_weights")));
      for (JsonNode step : golden.get("steps")) {
        double[] tokens = doubles(step.get("tokens"));
        long[] counts = Arrays.stream(tokens).mapToLong(count -> (long) count).toArray();
        trace.observe(
            Observation.at(step.get("step").longValue())
                .with(Metrics.EVAL_LOSS, doubles(step.get("eval_loss")))
                .with(Metrics.TRAIN_LOSS, tokens, counts));
        String what = PolicyVectors.what(golden, step);
        assertClose(trace.shares(), doubles(step.get("expected_weights")), what);
        JsonNode pulls = step.get("expected_pulls");
        assertClose(trace.scores(), pulls == null ? new double[0] : doubles(pulls), what);
      }
    }
  }
}
