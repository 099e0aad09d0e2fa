package io.sluice.control.runs;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.DomainInheritance;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Domains of a run in whose place others come: one that is split, some that are merged, or some
 * whose documents are divided in another way. The new ones share what weight the old ones have when
 * the log takes the change; all other weights stay, as in Olmix's reuse of mixtures.
 *
 * @param from domains that are taken out, each once
 * @param shares of each domain that takes over, in (0, 1], summing to 1
 */
public record Regrouping(List<String> from, Map<String, Double> shares) {
  private static final double ROUNDING = 1e-9;

  /** Copies both, and keeps their order. */
  public Regrouping {
    from = List.copyOf(from);
    shares = new LinkedHashMap<>(shares);
    requireShares(shares);
  }

  /**
   * With shares in proportion to the tokens that are prepared.
   *
   * @param supplies of the dataset's domains
   * @throws BadInputException if one of the domains has none
   */
  public static Regrouping byTokens(
      List<String> from, List<String> into, Map<String, Supply> supplies) {
    Map<String, Double> shares = new LinkedHashMap<>();
    double all = 0;
    for (String domain : into) {
      Supply supply = supplies.get(domain);
      long tokens = supply == null ? 0 : supply.getTrainedTokens();
      if (tokens == 0) {
        throw new BadInputException(
            "--into must name domains with tokens that are prepared: '"
                + domain
                + "' has none yet; wait until it does, or say --share for each");
      }
      shares.put(domain, (double) tokens);
      all += tokens;
    }
    double sum = all;
    shares.replaceAll((domain, tokens) -> tokens / sum);
    return new Regrouping(from, shares);
  }

  /**
   * The run with its new domains.
   *
   * @param known domains of the dataset as it is now
   * @throws BadInputException if the run does not have the old ones or the dataset not the new ones
   */
  public RunSpec revised(RunSpec now, List<String> known) {
    List<String> seated =
        now.getDomains().stream().filter(domain -> !now.getRemoved().contains(domain)).toList();
    Map<String, Double> added = new LinkedHashMap<>();
    for (String domain : shares.keySet()) {
      if (from.contains(domain)) {
        throw new BadInputException("--into must name others than --from: '" + domain + "'");
      }
      if (now.getRemoved().contains(domain)) {
        throw new BadInputException(
            "--into must name no domain that was taken out: '" + domain + "'");
      }
      if (!seated.contains(domain)) {
        added.put(domain, 0.0);
      }
    }
    return RunRevision.domains(now, added, from, known);
  }

  /** Who takes over what. */
  public List<DomainInheritance> inheritances() {
    List<DomainInheritance> all = new ArrayList<>();
    for (String parent : from) {
      shares.forEach((domain, share) -> all.add(new DomainInheritance(domain, parent, share)));
    }
    return all;
  }

  /** In a line. */
  @Override
  public String toString() {
    StringJoiner into = new StringJoiner(", ");
    shares.forEach(
        (domain, share) -> into.add(String.format(Locale.ROOT, "%s at %.6f", domain, share)));
    return String.join(", ", from) + " into " + into;
  }

  private static void requireShares(Map<String, Double> shares) {
    double sum = 0;
    for (Map.Entry<String, Double> share : shares.entrySet()) {
      if (!(share.getValue() > 0 && share.getValue() <= 1)) {
        throw new BadInputException(
            "--share of " + share.getKey() + " must be in (0, 1]: " + share.getValue());
      }
      sum += share.getValue();
    }
    if (Math.abs(sum - 1) > ROUNDING) {
      throw new BadInputException("--share must sum to 1 over --into: " + sum);
    }
  }
}
