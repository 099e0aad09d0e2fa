package io.sluice.control.runs;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.DomainStanding;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.schema.DomainInheritance;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RequiredMetric;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Supply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.function.Supplier;

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
   * With shares in proportion to the tokens that are prepared: all of those of domains that have
   * ended, which is waited for, and of others so far.
   *
   * @param prepared of the run's dataset
   * @param patience how long to wait
   * @throws BadInputException if there is nothing of one of the domains within that time
   */
  public static Regrouping byTokens(
      KafkaAccess access,
      PreparedDomains prepared,
      List<String> from,
      List<String> into,
      Duration patience) {
    Map<String, CorpusEnd> corpora = new CorpusEnds(access).of(into);
    Supplier<List<DomainStanding>> look = () -> DomainStanding.of(into, corpora, prepared.now());
    return byTokens(
        from,
        RunAdmin.await(
                patience,
                () ->
                    Optional.of(look.get())
                        .filter(seen -> seen.stream().allMatch(Regrouping::isCounted)))
            .orElseGet(look));
  }

  private static boolean isCounted(DomainStanding domain) {
    return domain.grows() ? domain.tokens() > 0 : domain.isComplete();
  }

  /** With shares in proportion to the tokens that are prepared of each domain. */
  static Regrouping byTokens(List<String> from, List<DomainStanding> into) {
    Map<String, Double> shares = new LinkedHashMap<>();
    for (DomainStanding domain : into) {
      if (!isCounted(domain)) {
        throw new BadInputException(
            "--into must name domains that are prepared: of '%s' %,d documents of %,d are; wait until all are, or say --share for each"
                .formatted(domain.domain(), domain.prepared(), domain.corpus().documents()));
      }
      if (domain.tokens() > 0) {
        shares.put(domain.domain(), (double) domain.tokens());
      }
    }
    double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
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
    for (String domain : from) {
      if (!seated.contains(domain)) {
        throw new BadInputException(
            "--from must name domains of the run, " + seated + ": '" + domain + "'");
      }
    }
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

  /**
   * Refuses domains that trainers cannot measure, where the policy waits for it.
   *
   * @param supplies of the dataset's domains
   */
  public void requireMeasurable(RunSpec now, Map<String, Supply> supplies) {
    List<RequiredMetric> metrics = now.getMetrics();
    if (metrics == null || metrics.isEmpty()) {
      return;
    }
    for (String domain : shares.keySet()) {
      Supply supply = supplies.get(domain);
      if (supply == null || supply.getEvalBlocks() == 0) {
        throw new BadInputException(
            "--into must name domains with held-out blocks, on which policy "
                + now.getPolicy()
                + " waits: '"
                + domain
                + "' has none");
      }
    }
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
