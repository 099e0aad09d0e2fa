package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.log.Forgettings;
import io.sluice.jobs.prepare.log.Forgettings.Forgetting;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DocumentsForgotten;
import io.sluice.schema.set.DocumentKeys;
import java.util.ArrayList;
import java.util.List;

/**
 * Which documents of a domain are forgotten, from where on. The domain takes a step with each
 * document that comes, each that leaves the shuffle, the end marker, and each time that documents
 * are forgotten: so one number says where among all of them that was.
 */
final class DomainForgetting {
  private final DatasetSpec spec;
  private final String domain;

  /** What is committed, and what this execution adds. */
  private final Forgettings all;

  private final List<DocumentsForgotten> unwritten = new ArrayList<>();
  private DocumentKeys forgotten = DocumentKeys.NONE;

  /** What was known when it was last looked at. */
  private DocumentKeys seen = DocumentKeys.NONE;

  private int times;
  private boolean ahead;

  /** Nothing is forgotten yet. */
  DomainForgetting(DatasetSpec spec, String domain, Forgettings all) {
    this.spec = spec;
    this.domain = domain;
    this.all = all;
  }

  /** Goes on where so many were forgotten. */
  void restore(int timesBefore) {
    times = timesBefore;
    for (int number = 0; number < Math.min(times, all.size()); number++) {
      forgotten = forgotten.with(all.get(number).documents());
    }
  }

  /** How often documents were forgotten so far. */
  int times() {
    return times;
  }

  /** Whether restored state knows of more than is committed. */
  boolean isLost() {
    return times > all.size();
  }

  /** Whether some were forgotten after all that is committed. */
  boolean ahead() {
    return ahead;
  }

  /** Whether some will be forgotten again, where they were. */
  boolean follows() {
    return times < all.size();
  }

  /** Whether a document is one of them. */
  boolean has(String id) {
    return forgotten.contains(domain, id);
  }

  /**
   * Forgets again what was forgotten here.
   *
   * @param taken steps so far but those in which documents were forgotten
   * @return whether any was
   */
  boolean again(long taken) {
    int before = times;
    while (follows() && all.get(times).steps() <= taken + times) {
      forgotten = forgotten.with(all.get(times++).documents());
    }
    return times > before;
  }

  /** Whether nothing is known that was not before. */
  boolean knows(DocumentKeys known) {
    return known == seen;
  }

  /**
   * Forgets what is not forgotten yet, from here on.
   *
   * @return whether anything is new
   */
  boolean add(DocumentKeys known, long taken) {
    seen = known;
    DocumentKeys more = known.without(forgotten);
    for (DocumentKeys part : more.parts()) {
      long steps = taken + times++;
      all.add(new Forgetting(steps, part));
      unwritten.add(
          new DocumentsForgotten(
              spec.getName(), spec.getFingerprint(), domain, steps, part.bytes()));
      ahead = true;
    }
    forgotten = forgotten.with(more);
    return more.size() > 0;
  }

  /** Those that are not written yet, which are from now on. */
  List<DocumentsForgotten> take() {
    List<DocumentsForgotten> taken = List.copyOf(unwritten);
    unwritten.clear();
    return taken;
  }
}
