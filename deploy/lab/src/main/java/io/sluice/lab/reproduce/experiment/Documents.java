package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.refine.twin.FilteredTwins;
import io.sluice.refine.twin.SignatureScheme;
import java.util.Collection;
import java.util.List;

/**
 * Cuts passages into smaller documents and leaves out what is like a tested passage, or like a
 * document before, which passages that differ can have in common.
 */
final class Documents {
  private static final int TWINS = 400_000;
  private static final double FALSE_DROPS = 1e-4;

  private final FilteredTwins seen = FilteredTwins.of(SignatureScheme.DEFAULT, TWINS, FALSE_DROPS);
  private final int length;

  /**
   * Nothing is cut yet.
   *
   * @param length most characters of a document
   */
  Documents(Collection<List<Passage>> tested, int length) {
    this.length = length;
    tested.forEach(passages -> passages.forEach(this::isNew));
  }

  /** The documents of some passages. */
  List<Passage> of(List<Passage> passages) {
    return passages.stream()
        .flatMap(passage -> passage.cut(length).stream())
        .filter(document -> !document.text().isBlank() && isNew(document))
        .toList();
  }

  private boolean isNew(Passage document) {
    return !seen.add(SignatureScheme.DEFAULT.sign(document.text()));
  }
}
