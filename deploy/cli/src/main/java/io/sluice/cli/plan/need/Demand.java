package io.sluice.cli.plan.need;

import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How many tokens a dataset is to have for training, and of which domains.
 *
 * @param tokens of all domains; empty if nobody says
 * @param shares of each domain, which sum to 1
 * @param from what they follow from, for people
 */
public record Demand(OptionalLong tokens, Map<String, Double> shares, String from) {
  /**
   * The demand on a dataset.
   *
   * @param asked tokens that somebody wants it to have, whatever is trained
   * @param runs all that are planned
   */
  public static Demand of(DatasetSpec dataset, OptionalLong asked, List<PlannedRun> runs) {
    Optional<PlannedRun> largest =
        runs.stream()
            .filter(run -> run.spec().getDataset().equals(dataset.getName()))
            .max(Comparator.comparingLong(run -> wanted(run).orElse(0)));
    Map<String, Double> shares = largest.map(run -> shares(dataset, run)).orElse(even(dataset));
    String shared =
        largest.isPresent() && !largest.get().tokenWeights()
            ? ", by the first weights of run " + largest.get().spec().getRun()
            : ", evenly over its domains";
    if (asked.isPresent()) {
      return new Demand(asked, shares, "--tokens" + shared);
    }
    OptionalLong trained = largest.map(Demand::wanted).orElse(OptionalLong.empty());
    String of =
        trained.isPresent()
            ? "what run "
                + largest.get().spec().getRun()
                + " trains on, less what it repeats"
                + shared
            : "--tokens, or a run with batches, would say how much";
    return new Demand(trained, shares, of);
  }

  /** Tokens that a run needs of its dataset, whose domains it may read more than once. */
  private static OptionalLong wanted(PlannedRun run) {
    int passes =
        Math.max(1, run.spec().getEpochs().stream().mapToInt(Integer::intValue).min().orElse(1));
    OptionalLong tokens = run.tokens();
    return tokens.isEmpty() ? tokens : OptionalLong.of(Counts.parts(tokens.getAsLong(), passes));
  }

  private static Map<String, Double> shares(DatasetSpec dataset, PlannedRun run) {
    if (run.tokenWeights()) {
      return even(dataset);
    }
    RunSpec spec = run.spec();
    Map<String, Double> shares = even(dataset);
    shares.replaceAll((domain, share) -> 0.0);
    for (int i = 0; i < spec.getDomains().size(); i++) {
      shares.put(spec.getDomains().get(i), spec.getInitialWeights().get(i) / (double) Weights.UNIT);
    }
    return shares;
  }

  private static Map<String, Double> even(DatasetSpec dataset) {
    Map<String, Double> shares = new LinkedHashMap<>();
    dataset.getDomains().forEach(domain -> shares.put(domain, 1.0 / dataset.getDomains().size()));
    return shares;
  }

  /** Tokens of one domain. */
  public OptionalLong of(String domain) {
    return tokens.isEmpty()
        ? tokens
        : OptionalLong.of(
            Math.round(Math.ceil(tokens.getAsLong() * shares.getOrDefault(domain, 0.0))));
  }
}
