package io.sluice.jobs.derive;

import io.sluice.mixture.plan.Weights;
import io.sluice.schema.BatchSize;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A run that is drawn by lot.
 *
 * @param ended blocks in each lane of the domains that have ended
 */
record DrawnRun(LoggedRun run, Map<String, long[]> ended) {
  /** What every world of ranks that reads it divides. */
  private static final int PART = 6;

  private static final int MOST_ADDED = 3;

  static DrawnRun draw(Random random) {
    int k = 1 + random.nextInt(random.nextInt(8) == 0 ? 80 : 8);
    RunSpec spec = spec("drawn", k, 1 + random.nextInt(3), sizes(random), random.nextLong());
    LoggedRun run = new LoggedRun("drawn.1", spec);
    live(run, random);
    if (random.nextInt(4) == 0) {
      long from = run.first() + random.nextInt((int) (run.granted() - run.first()) + 1);
      RunSpec forked = RunSpec.newBuilder(run.specAt(from)).setSeed(random.nextLong()).build();
      run = new LoggedRun("forked.1", forked, run.origin(from));
      live(run, random);
    }
    Map<String, long[]> ended = new HashMap<>();
    for (int domain = 0; domain < k + 2 * MOST_ADDED; domain++) {
      if (random.nextInt(4) > 0) {
        int most = random.nextBoolean() ? 5 : 200;
        ended.put(Emission.name(domain), random.longs(spec.getLanes(), 1, most + 1L).toArray());
      }
    }
    return new DrawnRun(run, ended);
  }

  private static List<BatchSize> sizes(Random random) {
    List<BatchSize> sizes = new ArrayList<>();
    for (long from = 1; sizes.isEmpty() || random.nextInt(3) > 0; from += 1 + random.nextInt(9)) {
      sizes.add(new BatchSize(from, PART * (1 + random.nextInt(9))));
    }
    return sizes;
  }

  /** The specification of a run of equal weights. */
  static RunSpec spec(String name, int domains, int lanes, List<BatchSize> sizes, long seed) {
    return RunSpec.newBuilder()
        .setRun(name)
        .setDataset("data")
        .setFingerprint(0x5EED)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setSequenceLength(4)
        .setDomains(IntStream.range(0, domains).mapToObj(Emission::name).toList())
        .setLanes(lanes)
        .setStreamPartitions(2 * lanes)
        .setBatchSizes(sizes)
        .setSeed(seed)
        .setInitialWeights(Arrays.stream(Weights.uniform(domains).parts()).boxed().toList())
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(Collections.nCopies(domains, 90))
        .build();
  }

  private static void live(LoggedRun run, Random random) {
    int added = 0;
    for (int left = 2 + random.nextInt(20); left > 0; left--) {
      switch (random.nextInt(12)) {
        case 0 -> run.reweigh(shares(run, random));
        case 1 -> rewind(run, random);
        case 2 -> run.sumUp();
        case 3 -> {
          if (added++ < MOST_ADDED) {
            run.add(Emission.name(run.spec().getDomains().size()), random.nextDouble());
          }
        }
        case 4 -> remove(run, random);
        case 5 -> run.reweigh(run.shares());
        default -> run.grant(1 + random.nextInt(12));
      }
    }
  }

  private static double[] shares(LoggedRun run, Random random) {
    List<String> domains = run.spec().getDomains();
    double[] shares = new double[domains.size()];
    for (int i = 0; i < shares.length; i++) {
      boolean out = run.spec().getRemoved().contains(domains.get(i));
      shares[i] = out || random.nextInt(5) == 0 ? 0 : random.nextDouble();
    }
    return Arrays.stream(shares).sum() > 0 ? shares : run.shares();
  }

  private static void rewind(LoggedRun run, Random random) {
    long span = run.granted() - run.first();
    long batch = run.granted() - random.nextInt((int) span + 1);
    boolean skips = random.nextBoolean();
    run.rewind(batch, skips ? batch + random.nextInt((int) (run.granted() - batch) + 1) : batch);
  }

  private static void remove(LoggedRun run, Random random) {
    List<String> domains = run.spec().getDomains();
    int domain = random.nextInt(domains.size());
    double[] shares = run.shares();
    shares[domain] = 0;
    if (!run.spec().getRemoved().contains(domains.get(domain)) && Arrays.stream(shares).sum() > 0) {
      run.remove(domains.get(domain));
    }
  }
}
