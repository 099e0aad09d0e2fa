package io.sluice.djl.measure;

import io.sluice.client.feedback.Measurement.Total;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Tells the optimizer's learning rate, the same for every domain; the count is 1. */
public record LearningRateFactory() implements MeterFactory {
  private static final String METRIC = "learning_rate";

  @Override
  public Set<String> metrics() {
    return Set.of(METRIC);
  }

  @Override
  public StepMeter create(MeterInput input) {
    return (trainer, step) -> {
      Total rate = new Total(input.learningRate().getAsDouble(), 1);
      Map<String, Total> rates = new LinkedHashMap<>();
      input.spec().getDomains().forEach(domain -> rates.put(domain, rate));
      return Map.of(METRIC, rates);
    };
  }
}
