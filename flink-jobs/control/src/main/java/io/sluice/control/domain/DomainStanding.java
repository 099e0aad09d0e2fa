package io.sluice.control.domain;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Supply;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How far a domain of a dataset has come.
 *
 * @param supply what is prepared of it; absent until something is
 */
public record DomainStanding(String domain, CorpusEnd corpus, Optional<Supply> supply) {
  /** Where domains stand, in their order. */
  public static List<DomainStanding> of(
      Collection<String> domains, Map<String, CorpusEnd> corpora, Map<String, Supply> supplies) {
    return domains.stream()
        .map(
            domain ->
                new DomainStanding(
                    domain,
                    corpora.getOrDefault(domain, CorpusEnd.EMPTY),
                    Optional.ofNullable(supplies.get(domain))))
        .toList();
  }

  /** Whether all of it is prepared, and nothing will be added. */
  public boolean isComplete() {
    return supply.map(Supply::getEnded).orElse(false);
  }

  /** Whether documents may still be added. */
  public boolean grows() {
    return !corpus.marked() && !isComplete();
  }

  /** Documents that are tokenized, held-out ones included. */
  public long prepared() {
    return supply.map(Supply::getDocuments).orElse(0L);
  }

  /** Blocks that can be trained on so far. */
  public long blocks() {
    return supply.map(Supply::getBlocks).orElse(0L);
  }

  /** Blocks of held-out documents so far. */
  public long heldOutBlocks() {
    return supply.map(Supply::getEvalBlocks).orElse(0L);
  }

  /**
   * Documents that wait to be shuffled.
   *
   * @param dataset in which the domain has come so far
   */
  public Shuffling shuffling(DatasetSpec dataset) {
    return supply.map(said -> Shuffling.of(said, dataset)).orElseGet(() -> Shuffling.none(dataset));
  }

  /** Tokens of the blocks so far that are padding. */
  public long padding() {
    return supply.map(Supply::getPadding).orElse(0L);
  }

  /** Labels that can be trained on so far. */
  public long tokens() {
    return supply.map(Supply::getTrainedTokens).orElse(0L);
  }
}
