package io.sluice.jobs.refine.decide;

import io.sluice.refine.decide.KnownTwins;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.Twin;
import io.sluice.refine.twin.Twins;
import java.util.Optional;

/** Documents that are kept with their signatures, so that each twin is known. */
record VerifiedTwins(Twins twins) implements KnownTwins {
  @Override
  public Optional<Found> add(DocumentPlace place, Signature signature) {
    return twins.add(place, signature).map(VerifiedTwins::found);
  }

  private static Found found(Twin twin) {
    return new Found(twin.exact(), Optional.of(twin));
  }

  @Override
  public String note() {
    return "";
  }
}
