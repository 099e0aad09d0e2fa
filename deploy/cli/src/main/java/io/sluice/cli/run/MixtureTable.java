package io.sluice.cli.run;

import io.sluice.control.domain.Shuffling;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mixture of a run as a person reads it: a line for each domain.
 *
 * @param supply what is prepared, by domain
 * @param dataset whose domains they are; null where that is not known
 */
record MixtureTable(
    RunSpec spec, RunState state, Map<String, Supply> supply, @Nullable DatasetSpec dataset) {
  /**
   * The head and a line for each domain; what was decided has a column where it is not in force.
   */
  List<String> lines() {
    Weights effective = state.effective();
    boolean both = !effective.equals(state.decided());
    long[] granted = state.sequences();
    List<String> lines = new ArrayList<>();
    String decided = both ? String.format(" %9s", "decided") : "";
    lines.add(
        String.format(
            Locale.ROOT,
            "  %-24s %9s%s %12s %12s",
            "domain",
            "weight",
            decided,
            "granted",
            "ready"));
    for (int i = 0; i < granted.length; i++) {
      String domain = spec.getDomains().get(i);
      Supply ready = supply.get(domain);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-24s %9.6f%s %12d %12s%s",
              domain,
              effective.share(i),
              both ? String.format(Locale.ROOT, " %9.6f", state.decided().share(i)) : "",
              granted[i],
              ready == null ? "-" : ready.getBlocks(),
              note(i, ready, effective.share(i), granted[i])));
    }
    return lines;
  }

  private String note(int domain, @Nullable Supply ready, double share, long granted) {
    if (spec.getRemoved().contains(spec.getDomains().get(domain))) {
      return " (removed)";
    }
    if (state.masked().get(domain)) {
      return " (ended, used up)";
    }
    if (ready == null) {
      return "";
    }
    if (ready.getEnded()) {
      return " (ended)";
    }
    if (dataset == null) {
      return "";
    }
    Shuffling shuffling = Shuffling.of(ready, dataset);
    boolean holdsUp = holdsUp(share * nextBatchSize(), ready.getBlocks() - granted);
    return shuffling.documents() > 0 && holdsUp ? " (" + shuffling + ")" : "";
  }

  private int nextBatchSize() {
    return state.settings().batchSize(state.position().granted() + 1);
  }

  /** Whether the next batch may lack sequences of a domain. */
  private static boolean holdsUp(double wanted, long left) {
    return wanted > 0 && left < Math.ceil(wanted);
  }
}
