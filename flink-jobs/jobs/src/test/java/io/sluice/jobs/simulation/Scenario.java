package io.sluice.jobs.simulation;

import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A run that is drawn by lot, and how many blocks its domains will have. */
record Scenario(String runId, RunSpec spec, int[] sizes) {
  static Scenario draw(int number, Random random) {
    int k = 2 + random.nextInt(3);
    List<String> domains = new ArrayList<>();
    List<Integer> epochs = new ArrayList<>();
    int[] sizes = new int[k];
    double[] shares = new double[k];
    for (int i = 0; i < k; i++) {
      domains.add("d" + i);
      boolean ample = i == 0 || random.nextInt(3) == 0;
      sizes[i] = ample ? 300 : 3 + random.nextInt(60);
      epochs.add(random.nextInt(12) == 0 ? 0 : 1 + random.nextInt(2));
      shares[i] = i > 0 && random.nextInt(8) == 0 ? 0 : 0.1 + random.nextDouble();
    }
    List<BatchSize> batchSizes = new ArrayList<>();
    batchSizes.add(new BatchSize(1L, 2 + random.nextInt(7)));
    if (random.nextBoolean()) {
      batchSizes.add(new BatchSize(2L + random.nextInt(8), 2 + random.nextInt(12)));
    }
    boolean rounds = random.nextInt(8) != 0;
    RunSpec spec =
        RunSpec.newBuilder()
            .setRun("run" + number)
            .setDataset("data" + number)
            .setFingerprint(77 + number)
            .setTokenizer("bytes")
            .setVocabulary(259)
            .setSequenceLength(3)
            .setDomains(domains)
            .setStreamPartitions(1 + random.nextInt(4))
            .setBatchSizes(batchSizes)
            .setBatches(6L + random.nextInt(16))
            .setSeed(random.nextLong())
            .setInitialWeights(Arrays.stream(Weights.ofShares(shares).parts()).boxed().toList())
            .setPolicy(rounds ? "velocitune" : "static")
            .setPolicySettings(rounds ? Map.of("target-fraction", "0.5") : Map.of())
            .setUpdateEvery(rounds ? 1 + random.nextInt(5) : 0)
            .setLag(rounds ? random.nextInt(3) : 0)
            .setOnTimeout(random.nextInt(2) == 0 ? "keep-weights" : "hold")
            .setTimeoutMillis(500)
            .setLead(random.nextBoolean() ? 0 : 1 + random.nextInt(4))
            .setSmoothing(random.nextBoolean() ? Map.of("new-weight", "0.5") : Map.of())
            .setEpochs(epochs)
            .build();
    return new Scenario(spec.getRun() + "-1", spec, sizes);
  }
}
