package io.sluice.cli.refine;

import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.BadInputException;
import io.sluice.control.purge.Purges;
import io.sluice.control.refine.Refineries;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RefineSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether a refinery may be published as it is wanted, and what that changes. */
record RefineChanges(KafkaAccess access, Refineries refineries) {
  /** What becomes of a refinery that is published. */
  enum Change {
    NEW,
    NOT_DOCUMENTS,
    NONE;

    /** The word that programs read. */
    String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * What publishing would do.
   *
   * @throws BadInputException if it must not be done
   */
  Change of(RefineSpec wanted) {
    Optional<RefineSpec> before = refineries.find(wanted.getName());
    if (before.isPresent()) {
      if (before.get().getFingerprint() != wanted.getFingerprint()) {
        throw new BadInputException(
            "refinery '"
                + wanted.getName()
                + "' exists, and other settings or models make other documents: give it another"
                + " name, and its domains, too");
      }
      return before.get().equals(wanted) ? Change.NONE : Change.NOT_DOCUMENTS;
    }
    for (RefineSpec other : refineries.all()) {
      if (!Collections.disjoint(other.getDomains(), wanted.getDomains())) {
        throw new BadInputException(
            "domains must be written by one refinery: '"
                + other.getName()
                + "' writes '"
                + other.getDomains().stream()
                    .filter(wanted.getDomains()::contains)
                    .findFirst()
                    .orElse("")
                + "'");
      }
    }
    requireNoCircle(wanted);
    requireEmpty(wanted);
    Purges purges = new Purges(access);
    requireNew(wanted.getName(), purges);
    wanted.getInputs().forEach(purges::requireDomain);
    return Change.NEW;
  }

  /** The job of a refinery that was deleted knows what it has read, and would not read it again. */
  private static void requireNew(String name, Purges purges) {
    if (purges.hasLeft(Purges.ofRefinery(name))) {
      throw new BadInputException(
          "refinery '"
              + name
              + "' was deleted, and its job knows what it has read: give this one another name");
    }
  }

  /** What the refinery reads must not come, over any others, of what it writes. */
  private void requireNoCircle(RefineSpec wanted) {
    Set<String> made = new HashSet<>(wanted.getDomains());
    List<RefineSpec> others = new ArrayList<>(refineries.all());
    for (boolean more = true; more; ) {
      more =
          others.removeIf(
              other ->
                  !Collections.disjoint(other.getInputs(), made)
                      && made.addAll(other.getDomains()));
    }
    for (String input : wanted.getInputs()) {
      if (made.contains(input)) {
        throw new BadInputException(
            "inputs must not be made of the refinery's own domains: '" + input + "' is");
      }
    }
  }

  /** Documents of others must not be among those of the refinery. */
  private void requireEmpty(RefineSpec wanted) {
    Map<String, CorpusEnd> ends = new CorpusEnds(access).of(wanted.getDomains());
    ends.forEach(
        (domain, end) -> {
          if (end.records() > 0) {
            throw new BadInputException(
                "domains must be new: '" + domain + "' has " + end.records() + " records");
          }
        });
  }
}
