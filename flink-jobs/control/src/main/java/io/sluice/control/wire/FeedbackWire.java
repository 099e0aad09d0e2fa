package io.sluice.control.wire;

import io.sluice.mixture.round.Report;
import io.sluice.schema.DomainMeasure;
import io.sluice.schema.Limits;
import io.sluice.schema.TrainerFeedback;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Feedback, which names domains, as reports, which have them in the run's order. */
public final class FeedbackWire {
  private static final int MAX_LISTED = 20;

  private FeedbackWire() {}

  /**
   * The report that the feedback holds.
   *
   * @param measured what its policy measures, in its order; mostly the domains
   * @throws IllegalArgumentException if it cannot be a report of that run, with the reason
   */
  public static Report read(TrainerFeedback feedback, List<String> measured) {
    String attempt = Limits.requireText("attempt", feedback.getAttempt(), 1, Limits.NONCE);
    double[] sums = new double[measured.size()];
    long[] counts = new long[measured.size()];
    BitSet seen = new BitSet(measured.size());
    Map<String, Integer> places = new HashMap<>();
    measured.forEach(domain -> places.put(domain, places.size()));
    for (DomainMeasure measure : feedback.getEntries()) {
      Integer domain = places.get(measure.getDomain());
      if (domain == null) {
        throw new IllegalArgumentException(
            "domain must be one of "
                + listed(measured)
                + ": '"
                + Limits.shown(measure.getDomain())
                + "'");
      }
      if (seen.get(domain)) {
        throw new IllegalArgumentException(
            "each domain must be measured once: '" + measure.getDomain() + "' is there twice");
      }
      seen.set(domain);
      sums[domain] = measure.getSum();
      counts[domain] = measure.getCount();
    }
    return new Report(
        feedback.getTimeline(),
        feedback.getStep(),
        attempt,
        feedback.getWorldSize(),
        feedback.getRank(),
        feedback.getMetric(),
        sums,
        counts);
  }

  private static String listed(List<String> domains) {
    return domains.size() <= MAX_LISTED
        ? domains.toString()
        : domains.subList(0, MAX_LISTED) + " and " + (domains.size() - MAX_LISTED) + " more";
  }
}
