package io.sluice.cli.plot;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The weights of a mixture over batches, and the losses that were measured on the way; arrays have
 * an entry for each domain, NaN for a loss that was not measured.
 *
 * @param bounds batches between which weights stay, ascending; one more than weights
 * @param shares the weights of the batches after each bound, up to the next
 * @param steps batches after which losses were measured, ascending; may be none
 * @param losses in nats per token, at each step
 */
public record MixtureCourse(
    String label, double[] bounds, List<double[]> shares, double[] steps, List<double[]> losses) {
  /** Copies the lists, and checks that each has an entry for its batches. */
  public MixtureCourse {
    shares = List.copyOf(shares);
    losses = List.copyOf(losses);
    if (bounds.length != shares.size() + 1) {
      throw new IllegalArgumentException(
          "bounds must be one more than " + shares.size() + " weights: " + bounds.length);
    }
    if (steps.length != losses.size()) {
      throw new IllegalArgumentException(
          "steps must be as many as " + losses.size() + " losses: " + steps.length);
    }
  }

  /** The places of the greatest values above a limit, at most so many, in their own order. */
  public static int[] greatest(double[] values, double above, int most) {
    return IntStream.range(0, values.length)
        .filter(i -> values[i] > above)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> -values[i]))
        .limit(most)
        .mapToInt(i -> i)
        .sorted()
        .toArray();
  }

  /** The same with about so many weights and losses at most, the first and the last among them. */
  MixtureCourse thinned(int most) {
    int[] kept = everyFew(bounds.length, most);
    int[] measured = everyFew(steps.length, most);
    return new MixtureCourse(
        label,
        IntStream.of(kept).mapToDouble(i -> bounds[i]).toArray(),
        IntStream.of(kept).skip(1).mapToObj(i -> shares.get(i - 1)).toList(),
        IntStream.of(measured).mapToDouble(i -> steps[i]).toArray(),
        IntStream.of(measured).mapToObj(losses::get).toList());
  }

  private static int[] everyFew(int length, int most) {
    int stride = (length + most - 1) / most;
    return IntStream.range(0, length).filter(i -> i % stride == 0 || i == length - 1).toArray();
  }
}
