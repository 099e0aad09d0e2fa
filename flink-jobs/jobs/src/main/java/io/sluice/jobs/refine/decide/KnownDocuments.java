package io.sluice.jobs.refine.decide;

import io.sluice.refine.decide.KnownTwins;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.step.StepSettings;
import io.sluice.refine.targets.TargetTwins;
import io.sluice.refine.twin.FilteredTwins;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.refine.twin.Twins;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.util.Optional;
import org.apache.flink.api.common.state.KeyedStateStore;

/**
 * The documents that a refinery knows, in its state, as its specification says.
 *
 * @param twins of which others may be duplicates
 * @param targets of target sets
 * @param suspected the twins, where they are in filters
 */
record KnownDocuments(
    Optional<KnownTwins> twins, Optional<TargetTwins> targets, Optional<SuspectedTwins> suspected) {
  /** How what is known of documents is kept, if not each by itself. */
  static final String FILTERS = "filters";

  private static final KnownDocuments NONE =
      new KnownDocuments(Optional.empty(), Optional.empty(), Optional.empty());

  static KnownDocuments of(RefineSpec spec, KeyedStateStore store) {
    return StepSettings.find(spec, StepNames.DUPLICATES)
        .map(step -> of(step, StepSettings.find(spec, StepNames.TARGETS), store))
        .orElse(NONE);
  }

  private static KnownDocuments of(
      RefineStep step, Optional<RefineStep> targets, KeyedStateStore store) {
    SignatureScheme scheme = StepSettings.scheme(step);
    long documents = StepSettings.large(step, "documents");
    if (StepSettings.text(step, "memory").equals(FILTERS)) {
      double falseDrops = StepSettings.number(step, "false-drops");
      SuspectedTwins filters =
          new SuspectedTwins(store, FilteredTwins.of(scheme, documents, falseDrops));
      return new KnownDocuments(Optional.of(filters), Optional.empty(), Optional.of(filters));
    }
    double least = StepSettings.number(step, "similarity");
    Twins twins = new Twins(scheme, new StateTable(store, ""), least, documents);
    return new KnownDocuments(
        Optional.of(new VerifiedTwins(twins)),
        targets.map(
            each ->
                new TargetTwins(
                    scheme,
                    new StateTable(store, "target-"),
                    StepSettings.number(each, "similarity"),
                    twins)),
        Optional.empty());
  }
}
