package io.sluice.jobs.simulation;

import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.policy.Policies;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * A run that is drawn by lot.
 *
 * @param sizes how many blocks its domains will have, those included that are added later
 * @param every steps between its rounds, whenever it has any
 * @param worldSizes numbers of ranks that divide each of its batches
 * @param policies that it has or is switched to
 */
record Scenario(
    String runId,
    RunSpec spec,
    int[] sizes,
    long every,
    List<Integer> worldSizes,
    List<PolicyLot> policies) {
  private static final int MOST_RANKS = 8;
  private static final int DOMAINS_ADDED = 2;

  private static final List<PolicyLot> POLICIES =
      List.of(
          new PolicyLot("velocitune", Map.of("target-fraction", "0.5")),
          new PolicyLot("velocitune", Map.of("target-fraction", "0.7", "eta", "2")),
          new PolicyLot("dga", Map.of("beta", "0.5")),
          new PolicyLot("topic-perplexity", Map.of()),
          new PolicyLot("odm", Map.of("warm-up", "0")),
          new PolicyLot("doremi", Map.of()),
          new PolicyLot("doge", Map.of()),
          new PolicyLot("external", Map.of()),
          new PolicyLot("static", Map.of()));

  /** A policy and its settings. */
  record PolicyLot(String name, Map<String, String> settings) {
    boolean hasRounds() {
      return !name.equals("static");
    }

    Set<String> metrics() {
      Set<String> metrics = new TreeSet<>();
      var policy = Policies.create(name, settings, List.of("a", "b"));
      metrics.addAll(policy.metrics());
      metrics.addAll(policy.startsFromStepZero() ? policy.metricsOfStepZero() : List.of());
      return metrics;
    }
  }

  static Scenario draw(int number, Random random) {
    int k = 2 + random.nextInt(3);
    List<String> domains = new ArrayList<>();
    List<Integer> epochs = new ArrayList<>();
    double[] shares = new double[k];
    for (int i = 0; i < k; i++) {
      domains.add("d" + i);
      epochs.add(random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(2));
      shares[i] = i > 0 && random.nextInt(8) == 0 ? 0 : 0.1 + random.nextDouble();
    }
    int partitions = 1 + random.nextInt(4);
    List<BatchSize> batchSizes = batchSizes(1 + random.nextInt(4), random);
    PolicyLot first = POLICIES.get(random.nextInt(2) * random.nextInt(POLICIES.size()));
    long every = 1L + random.nextInt(5);
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun("run" + number)
            .setDataset("data" + number)
            .setFingerprint(77 + number)
            .setTokenizer("bytes")
            .setVocabulary(259)
            .setSequenceLength(3)
            .setDomains(domains)
            .setStreamPartitions(partitions)
            .setLanes(lanes(partitions, random))
            .setBatchSizes(batchSizes)
            .setBatches(6L + random.nextInt(16))
            .setSeed(random.nextLong())
            .setInitialWeights(Arrays.stream(Weights.ofShares(shares).parts()).boxed().toList())
            .setPolicy(first.name())
            .setPolicySettings(first.settings())
            .setUpdateEvery(first.hasRounds() ? every : 0)
            .setLag(first.hasRounds() ? random.nextInt(3) : 0)
            .setOnTimeout(random.nextInt(2) == 0 ? "keep-weights" : "hold")
            .setTimeoutMillis(500)
            .setLead(random.nextBoolean() ? 0 : 1 + random.nextInt(4))
            .setSmoothing(random.nextBoolean() ? Map.of("new-weight", "0.5") : Map.of())
            .setEpochs(epochs)
            .setWhenBehind(random.nextInt(4) == 0 ? "redistribute" : "wait")
            .setReclaim(random.nextBoolean() ? "checkpoint" : "never")
            .build();
    List<PolicyLot> policies =
        List.of(first, POLICIES.get(random.nextInt(POLICIES.size())), POLICIES.get(0));
    return new Scenario(
        spec.getRun() + "-1",
        spec,
        sizes(k + DOMAINS_ADDED, random),
        every,
        worldSizes(batchSizes),
        policies);
  }

  private static int lanes(int partitions, Random random) {
    int lanes = 1 + random.nextInt(2) * random.nextInt(partitions);
    return partitions % lanes == 0 ? lanes : 1;
  }

  private static int[] sizes(int domains, Random random) {
    int[] sizes = new int[domains];
    for (int i = 0; i < domains; i++) {
      boolean ample = i == 0 || random.nextInt(3) == 0;
      sizes[i] = ample ? 400 : 3 + random.nextInt(60);
    }
    return sizes;
  }

  /** A schedule of sizes that are all multiples of a part. */
  private static List<BatchSize> batchSizes(int part, Random random) {
    List<BatchSize> sizes = new ArrayList<>();
    sizes.add(new BatchSize(1L, part * (1 + random.nextInt(8 / part))));
    for (long from = 2L + random.nextInt(8);
        random.nextInt(3) != 0;
        from += 1 + random.nextInt(8)) {
      sizes.add(new BatchSize(from, part * (1 + random.nextInt(13 / part))));
    }
    return sizes;
  }

  private static List<Integer> worldSizes(List<BatchSize> batchSizes) {
    List<Integer> sizes = new ArrayList<>();
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
      int divisor = ranks;
      if (batchSizes.stream().allMatch(size -> size.getSequences() % divisor == 0)) {
        sizes.add(ranks);
      }
    }
    return sizes;
  }

  /** A run that goes on from a batch of this one. */
  Scenario forked(String name, RunSpec other) {
    return new Scenario(name + "-1", other, sizes, every, worldSizes, policies);
  }

  /** What the trainers measure: all that any of the policies asks for. */
  Set<String> metrics() {
    Set<String> metrics = new TreeSet<>();
    policies.forEach(policy -> metrics.addAll(policy.metrics()));
    return metrics;
  }
}
