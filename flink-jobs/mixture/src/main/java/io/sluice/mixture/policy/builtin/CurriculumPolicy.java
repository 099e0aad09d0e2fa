package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Extent;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.Shares;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A curriculum over buckets of rising difficulty, such as the ten groups of equal tokens that
 * Llama-3-SynE orders by perplexity (section 4.1.2): each domain is a bucket, and one follows the
 * other.
 *
 * <p>The buckets lie side by side on the curriculum's sequences, each as wide as its share of them.
 * The weights of an interval of batches are what the interval covers of each bucket, so that a
 * bucket gets its own share of the sequences however rounds and buckets fall. Order {@code random}
 * takes from all buckets at all times, which is what shuffled data does. After the curriculum, all
 * buckets go on with their shares.
 *
 * <p>The decision depends on the batches alone, so there is no state. Progress is counted over the
 * sequences of all batches: in a group of a tree whose ratio changes, buckets of early and late
 * intervals do not get the same.
 *
 * @param buckets domains, easiest first
 * @param widths of each domain, in any scale
 * @param until null for the whole run
 * @param cadence of the run that it is in; null before it is in one
 * @param length sequences that it lasts, once it is in a run
 */
record CurriculumPolicy(
    Order order,
    int[] buckets,
    double[] widths,
    @Nullable Extent until,
    String path,
    @Nullable Cadence cadence,
    double length)
    implements Policy {
  static final String NAME = "curriculum";
  private static final String OVER = "the curriculum is over: weights no longer move";

  /** Which bucket comes first. */
  enum Order {
    LOW_TO_HIGH,
    HIGH_TO_LOW,
    RANDOM
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of();
  }

  @Override
  public boolean hasRounds() {
    return order != Order.RANDOM;
  }

  @Override
  public Policy inRun(Cadence run) {
    if (until == null && run.batches() == 0) {
      throw new IllegalArgumentException(
          path + ".until must be given in a run without an end: it is not");
    }
    long last = until == null ? run.batches() : until.lastBatch(run);
    double sequences = until != null && until.inSequences() ? until.count() : run.sequencesIn(last);
    return new CurriculumPolicy(order, buckets, widths, until, path, run, sequences);
  }

  @Override
  public double[] startingShares(double[] shares) {
    return cadence == null ? Shares.normalised(widths) : between(0, cadence.firstEnd());
  }

  @Override
  public byte[] initialState(double[] shares) {
    return new byte[0];
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    Cadence run = Cadence.require(cadence, "a curriculum");
    long after = observation.step() + run.lag();
    String note = run.sequencesIn(after) < length ? "" : OVER;
    return new Decision(state, between(after, after + run.every()), new double[0], note);
  }

  /** What batches (after, to] cover of each bucket. */
  private double[] between(long after, long to) {
    Cadence run = java.util.Objects.requireNonNull(cadence);
    double from = run.sequencesIn(after) / length;
    double end = Math.min(1, run.sequencesIn(to) / length);
    double[] all = Shares.normalised(widths);
    if (order == Order.RANDOM || from >= 1) {
      return all;
    }
    double[] covered = new double[all.length];
    double low = 0;
    for (int n = 0; n < buckets.length; n++) {
      int bucket = order == Order.HIGH_TO_LOW ? buckets[buckets.length - 1 - n] : buckets[n];
      double high = n == buckets.length - 1 ? 1 : low + all[bucket];
      covered[bucket] = Math.max(0, Math.min(end, high) - Math.max(from, low)) / (end - from);
      low = high;
    }
    return covered;
  }

  /** Takes the order, the buckets and how long it all lasts. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      String order = read.choice("order", "low-to-high", "low-to-high", "high-to-low", "random");
      String given = read.text("buckets", "");
      double[] sizes = read.perDomain("sizes", domains, 0, 1e15);
      if (sizes == null) {
        sizes = new double[domains.size()];
        Arrays.fill(sizes, 1);
      }
      return new CurriculumPolicy(
          switch (order) {
            case "high-to-low" -> Order.HIGH_TO_LOW;
            case "random" -> Order.RANDOM;
            default -> Order.LOW_TO_HIGH;
          },
          buckets(read, given, domains),
          read.requirePositive("sizes", sizes),
          read.extent("until"),
          read.path("").replaceAll("\\.$", ""),
          null,
          Double.NaN);
    }

    /** In the order given, or in that of the names with numbers compared as numbers. */
    private static int[] buckets(PolicySettings read, String given, List<String> domains) {
      if (given.isBlank()) {
        return IntStream.range(0, domains.size())
            .boxed()
            .sorted((a, b) -> NaturalOrder.compare(domains.get(a), domains.get(b)))
            .mapToInt(i -> i)
            .toArray();
      }
      List<String> names = List.of(given.strip().split("\\s+"));
      List<String> sorted = new ArrayList<>(names);
      List<String> wanted = new ArrayList<>(domains);
      Collections.sort(sorted);
      Collections.sort(wanted);
      if (!sorted.equals(wanted)) {
        throw new IllegalArgumentException(
            read.path("buckets") + " must name each of " + domains + " once: " + names);
      }
      return names.stream().mapToInt(domains::indexOf).toArray();
    }
  }
}
