package io.sluice.control.history;

import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.RoundDecision;
import io.sluice.mixture.log.ControlEntry.Started;
import io.sluice.mixture.plan.Weights;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The mixture versions that a run's accepted entries bring into force, one entry at a time. */
public final class MixtureVersions {
  private @Nullable Weights decided;
  private int timeline;
  private int version;

  /**
   * The version that governs batches from the next entry on, if none before it was the same.
   *
   * @param entry the start, or the one after the last
   */
  public Optional<RunHistory.Version> next(ControlEntry entry) {
    if (entry.body() instanceof Started started) {
      decided = started.snapshot().decided();
    } else if (entry.body() instanceof Revised revised) {
      decided = revised.snapshot().decided();
    }
    if (!(entry.body() instanceof Grant grant)) {
      return Optional.empty();
    }
    decided = grant.decision().map(RoundDecision::weights).orElseGet(this::decided);
    if (entry.timeline() == timeline && grant.weightsVersion() == version) {
      return Optional.empty();
    }
    timeline = entry.timeline();
    version = grant.weightsVersion();
    return Optional.of(new RunHistory.Version(timeline, version, grant.after() + 1, decided));
  }

  private Weights decided() {
    return Objects.requireNonNull(decided, "the first entry starts the run");
  }
}
