package io.sluice.cli.cat;

import io.sluice.schema.RunSpec;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Where a stream goes on under another timeline or another specification, for people. */
final class Chapters {
  private int timeline;
  private @Nullable RunSpec spec;

  /**
   * A line to print before a batch, if something is new with it.
   *
   * @param owner timeline of the batch
   * @param governing the specification of the batch
   */
  Optional<String> before(int owner, long batch, RunSpec governing) {
    StringJoiner news = new StringJoiner(", ");
    if (owner != timeline) {
      news.add("timeline " + owner);
    }
    RunSpec known = spec;
    if (known != null && !known.equals(governing)) {
      news.add("policy " + governing.getPolicy());
      news.add("domains " + String.join(" ", domains(governing)));
    }
    timeline = owner;
    spec = governing;
    return news.length() == 0
        ? Optional.empty()
        : Optional.of("from batch " + batch + " on: " + news);
  }

  private static List<String> domains(RunSpec spec) {
    return spec.getDomains().stream()
        .filter(domain -> !spec.getRemoved().contains(domain))
        .toList();
  }
}
