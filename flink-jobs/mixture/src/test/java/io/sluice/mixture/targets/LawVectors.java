package io.sluice.mixture.targets;

import static io.sluice.mixture.Golden.assertWithin;
import static io.sluice.mixture.Golden.doubles;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Golden;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The golden vectors of scaling laws. */
public final class LawVectors {
  private LawVectors() {}

  public static void all(JsonNode file) {
    Golden.list(file.get("fit_cases")).forEach(LawVectors::fit);
    gradients(file.get("objective_gradient"));
    boundedObjectives(file.get("objective_gradient"), file.get("ado_objectives"));
    Golden.list(file.get("sigma_stopping")).forEach(LawVectors::stopping);
    threePoints(file.get("sheared_llama_reference_loss"));
  }

  private static void fit(JsonNode golden) {
    String name = golden.get("name").textValue();
    boolean tokens = golden.has("reference_fit_unit_1e9");
    JsonNode reference = golden.get(tokens ? "reference_fit_unit_1e9" : "reference_fit");
    ScalingFit fit = ScalingLawFitter.fit(doubles(golden.get("D")), doubles(golden.get("L")));
    ScalingLaw law = tokens ? fit.law().in(1e9) : fit.law();
    double full = golden.get("D_full").doubleValue();
    assertWithin(
        fit.law().at(full),
        golden.get("expected_prediction").doubleValue(),
        golden.get("prediction_abs_tol").doubleValue(),
        name);
    assertThat(fit.objective())
        .as(name)
        .isLessThanOrEqualTo(reference.get("objective").doubleValue() * (1 + 1e-6) + 1e-15);
    if (golden.has("param_rel_tol")) {
      double tolerance = golden.get("param_rel_tol").doubleValue();
      double[] got = {law.floor(), law.scale(), law.exponent()};
      String[] keys = {"E", "B", "beta"};
      for (int p = 0; p < 3; p++) {
        double expected = reference.get(keys[p]).doubleValue();
        assertWithin(got[p], expected, tolerance * expected, name + " " + keys[p]);
      }
    }
  }

  private static void gradients(JsonNode golden) {
    HuberObjective objective =
        new HuberObjective(doubles(golden.get("D")), doubles(golden.get("L")));
    for (JsonNode vector : Golden.list(golden.get("vectors"))) {
      double[] at = doubles(vector.get("params_lnB_lnE_beta"));
      double[] got = objective.gradient(at[0], at[1], at[2]);
      double[] expected = doubles(vector.get("gradient"));
      for (int p = 0; p < 3; p++) {
        assertWithin(got[p], expected[p], 1e-13 + 1e-9 * Math.abs(expected[p]), "gradient " + p);
      }
      double value = vector.get("objective").doubleValue();
      assertWithin(objective.value(at[0], at[1], at[2]), value, 1e-13 + 1e-9 * value, "objective");
    }
  }

  /** The objectives of two neighbours: the same sum, or its mean, with linear penalties. */
  private static void boundedObjectives(JsonNode data, JsonNode golden) {
    HuberObjective objective = new HuberObjective(doubles(data.get("D")), doubles(data.get("L")));
    for (JsonNode vector : Golden.list(golden.get("vectors"))) {
      double[] at = doubles(vector.get("params_lnbeta_lneps_alpha"));
      double sum = objective.value(at[0], at[1], at[2]);
      double bounds =
          Math.max(0, at[0] - 6.5)
              + Math.max(0, .5 - at[1])
              + Math.max(0, at[2] - .8)
              + Math.max(0, 1e-3 - at[2]);
      Golden.assertClose(
          sum + (bounds - 1e-3), vector.get("official_sum_objective").doubleValue(), "sum");
      Golden.assertClose(
          sum / objective.points() + 1e3 * bounds,
          vector.get("mixtera_mean_objective").doubleValue(),
          "mean");
    }
  }

  private static void stopping(JsonNode golden) {
    double[] tokens = doubles(golden.get("D"));
    double full = golden.get("D_full").doubleValue();
    List<double[]> series = new ArrayList<>();
    golden.get("series").forEach(losses -> series.add(doubles(losses)));
    double[] unknown = new double[series.size()];
    Arrays.fill(unknown, Double.POSITIVE_INFINITY);
    SettlingRule rule =
        new SettlingRule(golden.get("sigma").doubleValue(), golden.get("min_points").intValue(), 1);
    JsonNode stop = golden.get("expected_stop_checkpoint");
    int last = stop.isNull() ? tokens.length : stop.intValue();
    for (int n = 1; n <= last; n++) {
      boolean settled = !stop.isNull() && n == last;
      double[] seen = Arrays.copyOf(tokens, n);
      assertThat(TargetEstimateTest.status(rule, seen, series, unknown, full))
          .as("%s after %s checkpoints", golden.get("name"), n)
          .isEqualTo(settled ? SettlingRule.Status.SETTLED : SettlingRule.Status.GOING_ON);
    }
    if (!stop.isNull()) {
      assertWithin(
          tokens[last - 1] / full,
          golden.get("expected_sample_ratio_k").doubleValue(),
          1e-12,
          "share of tokens");
    }
    for (JsonNode used : Golden.list(golden.get("predictions"))) {
      predictions(golden, used, tokens, full);
    }
  }

  private static void predictions(JsonNode golden, JsonNode used, double[] tokens, double full) {
    int n = used.get("checkpoints_used").intValue();
    used.get("prediction")
        .properties()
        .forEach(
            domain -> {
              double[] losses = doubles(golden.get("series").get(domain.getKey()));
              TargetEstimate estimate =
                  TargetEstimate.of(
                      Arrays.copyOf(tokens, n),
                      Arrays.copyOf(losses, n),
                      Double.POSITIVE_INFINITY,
                      full);
              assertThat(estimate).isInstanceOf(TargetEstimate.Fitted.class);
              assertWithin(
                  estimate.loss(),
                  domain.getValue().doubleValue(),
                  golden.get("prediction_abs_tol").doubleValue(),
                  domain.getKey() + " after " + n);
            });
  }

  private static void threePoints(JsonNode golden) {
    double[] sizes = doubles(golden.get("N"));
    double target = golden.get("target_N").doubleValue();
    JsonNode tolerance = golden.get("tolerance");
    for (JsonNode domain : Golden.list(golden.get("domains"))) {
      ScalingLaw law = ScalingLaw.through(sizes, doubles(domain.get("loss_at_N")));
      String name = domain.get("domain").textValue();
      assertWithin(
          law.at(target),
          domain.get("expected_prediction_exact").doubleValue(),
          tolerance.get("abs_vs_exact").doubleValue(),
          name);
      assertWithin(
          law.at(target),
          domain.get("printed_by_notebook_4dp").doubleValue(),
          tolerance.get("abs_vs_printed").doubleValue(),
          name);
      double floor = domain.get("c").doubleValue();
      assertWithin(law.floor(), floor, 1e-6 * Math.abs(floor), name + " floor");
      double exponent = domain.get("b").doubleValue();
      assertWithin(law.exponent(), exponent, 1e-6 * exponent, name + " exponent");
    }
  }
}
