package io.sluice.lab.reproduce.experiment;

import io.sluice.control.targets.LossHistory;
import io.sluice.control.targets.TargetFits;
import io.sluice.lab.reproduce.arm.ArmOutcome;
import io.sluice.lab.reproduce.arm.Scale;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Target losses as Velocitune estimates them (appendix B): extrapolated from the first part of a
 * static run by {@link TargetFits}, which {@code sluice fit-targets} and {@code estimate-targets}
 * use.
 */
final class ProxyTargets {
  /** Share of the tokens that the estimate may use. */
  private static final double USED = 0.6;

  private ProxyTargets() {}

  /** Targets by domain, in nats per token. */
  static Map<String, Double> of(ArmOutcome proxy, Scale scale) {
    List<String> domains = List.copyOf(proxy.lastLosses().keySet());
    double perStep = (double) scale.batch() * scale.sequenceLength();
    SortedMap<Long, LossHistory.Round> rounds = new TreeMap<>();
    proxy
        .losses()
        .headMap(Math.round(USED * proxy.steps()) + 1)
        .forEach(
            (step, losses) ->
                rounds.put(
                    step,
                    new LossHistory.Round(
                        step * perStep, domains.stream().mapToDouble(losses::get).toArray())));
    double all = proxy.steps() * perStep;
    LossHistory history =
        new LossHistory(domains, new double[domains.size()], rounds, OptionalDouble.of(all), false);
    Map<String, Double> targets = new LinkedHashMap<>();
    TargetFits.of(history, all)
        .domains()
        .forEach(each -> targets.put(each.domain(), each.estimate().loss()));
    return targets;
  }
}
