package io.sluice.control.runs;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.domain.DomainStanding;
import io.sluice.control.domain.PreparedDomains;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.UnreachableException;
import io.sluice.mixture.plan.Weights;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * First weights by how many tokens the domains have. That is a fact only of domains that are
 * prepared to their ends: what happens to be prepared of others says when the run was applied, and
 * would be its mixture from then on.
 *
 * @param weights chosen by tokens
 */
record TokenShares(InitialWeights weights) {
  /**
   * The weights of these domains, once all are prepared to their ends.
   *
   * @param patience how long preparing may stand still; 0 to wait for nothing
   * @param say told what is waited for, and then the table
   * @throws BadInputException if a domain has no end marker, or is not prepared and nothing is
   *     waited for
   * @throws UnreachableException if preparing stands still
   */
  Weights await(
      KafkaAccess access,
      String dataset,
      List<String> domains,
      Duration patience,
      Consumer<String> say) {
    Map<String, CorpusEnd> corpora = new CorpusEnds(access).of(domains);
    try (PreparedDomains prepared = new PreparedDomains(access, dataset)) {
      return await(() -> DomainStanding.of(domains, corpora, prepared.now()), patience, say);
    }
  }

  /** The same, looking at the domains, in their order, as often as something may have changed. */
  Weights await(Supplier<List<DomainStanding>> look, Duration patience, Consumer<String> say) {
    List<DomainStanding> all = look.get();
    requireEnds(all);
    int told = 0;
    for (List<DomainStanding> left = left(all); !left.isEmpty(); left = left(all)) {
      if (patience.isZero()) {
        throw new BadInputException(needs() + "'run apply' waits until " + named(left));
      }
      if (left.size() != told) {
        told = left.size();
        say.accept("waits until " + named(left));
      }
      List<DomainStanding> before = all;
      all =
          RunAdmin.await(patience, () -> Optional.of(look.get()).filter(now -> !now.equals(before)))
              .orElseThrow(() -> stalled(left(before), patience));
    }
    return told(all, say);
  }

  private static List<DomainStanding> left(List<DomainStanding> all) {
    return all.stream().filter(domain -> !domain.isComplete()).toList();
  }

  private void requireEnds(List<DomainStanding> all) {
    List<String> growing =
        all.stream().filter(DomainStanding::grows).map(DomainStanding::domain).toList();
    if (!growing.isEmpty()) {
      throw new BadInputException(
          needs()
              + "no end marker has "
              + String.join(", ", growing)
              + ". Mark where one ends with 'sluice ingest --domain "
              + growing.get(0)
              + " --end', or state a weight for each domain");
    }
  }

  private String needs() {
    return "initial-weights: " + weights.word() + " needs every domain prepared to its end: ";
  }

  private static String named(List<DomainStanding> left) {
    return left.stream()
        .map(domain -> domain.domain() + " is prepared (" + prepared(domain) + " documents)")
        .collect(Collectors.joining(", "));
  }

  /** How many of how many; a corpus that names documents in files has more than records. */
  private static String prepared(DomainStanding domain) {
    String prepared = String.format(Locale.ROOT, "%,d", domain.prepared());
    long there = domain.corpus().documents();
    return domain.prepared() > there
        ? prepared
        : prepared + String.format(Locale.ROOT, " of %,d", there);
  }

  private UnreachableException stalled(List<DomainStanding> left, Duration patience) {
    return new UnreachableException(
        needs()
            + "preparing has stood still for "
            + patience.toSeconds()
            + " s before "
            + named(left)
            + ". Is the dataset's PrepareJob running?");
  }

  private Weights told(List<DomainStanding> all, Consumer<String> say) {
    Map<String, Long> tokens = new TreeMap<>();
    List<String> names = new ArrayList<>();
    for (DomainStanding domain : all) {
      names.add(domain.domain());
      tokens.put(domain.domain(), domain.tokens());
    }
    Weights first = weights.resolve(names, tokens);
    say.accept(String.format(Locale.ROOT, "  %-24s %15s %9s", "domain", "tokens", "weight"));
    for (int i = 0; i < names.size(); i++) {
      say.accept(
          String.format(
              Locale.ROOT,
              "  %-24s %15d %9.6f",
              names.get(i),
              tokens.get(names.get(i)),
              first.share(i)));
    }
    return first;
  }
}
