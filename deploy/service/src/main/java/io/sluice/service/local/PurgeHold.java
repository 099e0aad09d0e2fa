package io.sluice.service.local;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Purge;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Which datasets are not prepared since a purge replaces their topics. */
final class PurgeHold {
  private final BiConsumer<Purge, String> say;
  private final Set<String> said = new HashSet<>();
  private final Set<String> afresh = new HashSet<>();
  private Optional<Purge> open = Optional.empty();

  /**
   * No purge is known yet.
   *
   * @param say tells a purge that no job of a dataset runs
   */
  PurgeHold(BiConsumer<Purge, String> say) {
    this.say = say;
  }

  /** Takes what the table says now: the purge that has begun and not ended, if there is one. */
  void take(Optional<Purge> purge) {
    if (!purge.map(Purge::getId).equals(open.map(Purge::getId))) {
      said.clear();
    }
    open = purge;
    purge.ifPresent(each -> afresh.addAll(each.getAfresh()));
  }

  /** Whether a dataset must not be prepared now, for it reads or writes what is replaced. */
  boolean holds(DatasetSpec dataset) {
    return open.isPresent()
        && (open.get().getDatasets().contains(dataset.getName())
            || !Collections.disjoint(open.get().getDomains(), dataset.getDomains()));
  }

  /** Says, once, that no job of a dataset runs any more. */
  void stopped(String dataset) {
    if (open.isPresent() && !said.contains(dataset)) {
      say.accept(open.get(), dataset);
      said.add(dataset);
    }
  }

  /** Whether a dataset's state may count on what is no more, so that it starts without. */
  boolean isAfresh(String dataset) {
    return afresh.contains(dataset);
  }

  /** The dataset has started so. */
  void started(String dataset) {
    afresh.remove(dataset);
  }
}
