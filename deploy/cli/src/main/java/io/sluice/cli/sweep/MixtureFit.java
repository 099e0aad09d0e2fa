package io.sluice.cli.sweep;

import io.sluice.cli.plot.TextTable;
import io.sluice.mixture.law.DrawnMixtures;
import io.sluice.mixture.law.MixingLaw;
import io.sluice.mixture.law.MixingLaws;
import io.sluice.mixture.law.MixtureSearch;
import io.sluice.mixture.law.RankCorrelation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Laws fitted to a sweep, what they are worth, and the mixture that they say is best.
 *
 * @param laws what is said of each domain's law
 * @param weights the mixture, by domain
 * @param predicted its loss by the laws
 * @param best the arm of the least measured loss
 * @param measured that loss
 */
record MixtureFit(
    MixingLaw.Form form,
    int arms,
    List<Law> laws,
    Map<String, Double> weights,
    double predicted,
    String best,
    double measured) {
  private static final long SEED = 1;
  private static final int DIGITS = 4;

  /**
   * One domain's law against what it was not fitted to.
   *
   * @param spread standard deviation of the losses, in nats per token
   * @param miss root of the mean square of what is said of a mixture that was left out
   * @param rank Spearman's correlation of what is said and what was measured
   */
  record Law(String domain, double spread, double miss, double rank) {}

  /**
   * Fits.
   *
   * @throws IllegalArgumentException if the arms are too few
   */
  static MixtureFit of(SweepJson sweep, MixingLaw.Form form) {
    List<SweepReport.Arm> arms = sweep.arms();
    List<double[]> mixtures = arms.stream().map(sweep::mixture).toList();
    requireMore(arms.size(), sweep.domains().size(), form);
    List<double[]> all = new ArrayList<>();
    List<Law> worth = new ArrayList<>();
    for (String domain : sweep.measured()) {
      double[] losses = arms.stream().mapToDouble(arm -> sweep.loss(arm, domain)).toArray();
      all.add(losses);
      worth.add(worth(domain, MixingLaws.leftOut(form, mixtures, losses), losses));
    }
    MixtureSearch search = MixtureSearch.fitted(form, mixtures, all, sweep.aims());
    DrawnMixtures among =
        new MixtureArms(0, sweep.report().concentration(), sweep.report().together())
            .of(sweep.domains());
    double[] best = search.best(among, SEED);
    SweepReport.Arm least =
        arms.stream().min(Comparator.comparingDouble(MixtureFit::loss)).orElseThrow();
    return new MixtureFit(
        form,
        arms.size(),
        worth,
        byDomain(sweep.domains(), best),
        search.loss(best),
        least.arm(),
        loss(least));
  }

  /** What is left out must be said from enough others. */
  private static void requireMore(int arms, int domains, MixingLaw.Form form) {
    int least = domains + (form == MixingLaw.Form.LINEAR ? 1 : 2);
    if (arms < least) {
      throw new IllegalArgumentException(
          "a sweep over "
              + domains
              + " domains must have at least "
              + least
              + " arms of different mixtures, and twice that to be of use: "
              + arms);
    }
  }

  private static double loss(SweepReport.Arm arm) {
    return arm.runs().stream().mapToDouble(SweepReport.Run::loss).average().orElseThrow();
  }

  private static Law worth(String domain, double[] said, double[] losses) {
    double mean = IntStream.range(0, losses.length).mapToDouble(i -> losses[i]).average().orElse(0);
    double spread = 0;
    double miss = 0;
    for (int i = 0; i < losses.length; i++) {
      spread += (losses[i] - mean) * (losses[i] - mean);
      miss += (losses[i] - said[i]) * (losses[i] - said[i]);
    }
    return new Law(
        domain,
        Math.sqrt(spread / losses.length),
        Math.sqrt(miss / losses.length),
        RankCorrelation.of(said, losses));
  }

  private static Map<String, Double> byDomain(List<String> domains, double[] shares) {
    double scale = Math.pow(10, DIGITS);
    Map<String, Double> by = new LinkedHashMap<>();
    for (int i = 0; i < shares.length; i++) {
      by.put(domains.get(i), Math.round(shares[i] * scale) / scale);
    }
    return by;
  }

  List<String> lines() {
    TextTable table =
        new TextTable(List.of("domain", "spread", "error left out", "rank correlation"));
    for (Law law : laws) {
      table.add(
          List.of(
              law.domain,
              TextTable.fixed(4, law.spread),
              TextTable.fixed(4, law.miss),
              TextTable.fixed(3, law.rank)));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add("");
    lines.add("Each arm's loss was predicted from all others; spread is that of the losses.");
    List<String> worthless =
        laws.stream().filter(law -> !(law.miss < law.spread)).map(Law::domain).toList();
    if (!worthless.isEmpty()) {
      lines.add(
          "No mixture can be told: the laws of "
              + String.join(", ", worthless)
              + " miss by more than the spread and know less than the mean. More arms, or more seeds.");
      return lines;
    }
    lines.add(
        String.format(
            Locale.ROOT,
            "Predicted loss %.4f; the least of %d arms had %.4f (%s).",
            predicted,
            arms,
            measured,
            best));
    lines.add("");
    StringBuilder yaml = new StringBuilder("initial-weights: {");
    weights.forEach(
        (domain, weight) ->
            yaml.append(yaml.length() > 18 ? ", " : "").append(domain).append(": ").append(weight));
    lines.add(yaml.append('}').toString());
    return lines;
  }
}
