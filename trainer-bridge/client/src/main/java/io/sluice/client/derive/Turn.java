package io.sluice.client.derive;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import java.util.List;

/**
 * What a run goes on with after a batch, by an entry that says all of it.
 *
 * @param batch last batch that stands
 * @param firstIndex global index of the first sequence of the next batch
 * @param seed of the orders of batches and of later epochs
 * @param ordinals lanes × domains, lane-major: next ordinals, epochs counted through
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
record Turn(
    int timeline,
    long batch,
    long firstIndex,
    int weightsVersion,
    long seed,
    int lanes,
    List<String> domains,
    long[] ordinals)
    implements Step {
  Turn {
    domains = List.copyOf(domains);
    if (lanes < 1 || domains.isEmpty() || ordinals.length != lanes * domains.size()) {
      throw new IllegalArgumentException(
          "batch "
              + batch
              + " must leave ordinals of "
              + lanes
              + " lanes of "
              + domains.size()
              + " domains: "
              + ordinals.length);
    }
  }

  @Override
  public boolean isAfter(long before) {
    return batch > before;
  }

  @Override
  public Turn until(long last) {
    return this;
  }

  /** What an entry makes of the run; it is none that only grants, or changes the run's state. */
  static Turn of(ControlRecord entry) {
    int timeline = entry.getTimeline();
    Object body = entry.getBody();
    if (body instanceof RunStarted started) {
      return of(timeline, started);
    }
    return body instanceof RunRevised revised
        ? of(timeline, revised.getSpec(), revised.getSnapshot())
        : of(timeline, (LogSnapshot) body);
  }

  private static Turn of(int timeline, LogSnapshot snapshot) {
    return of(timeline, snapshot.getSpec(), snapshot.getSnapshot());
  }

  private static Turn of(int timeline, RunStarted started) {
    RunSpec spec = started.getSpec();
    RunOrigin origin = started.getOrigin();
    if (origin != null) {
      return of(timeline, spec, origin.getSnapshot());
    }
    long[] none = new long[spec.getLanes() * spec.getDomains().size()];
    return new Turn(timeline, 0, 0, 1, spec.getSeed(), spec.getLanes(), spec.getDomains(), none);
  }

  private static Turn of(int timeline, RunSpec spec, RunSnapshot snapshot) {
    return new Turn(
        timeline,
        snapshot.getBatch(),
        snapshot.getNextSequence(),
        snapshot.getWeightsVersion(),
        spec.getSeed(),
        spec.getLanes(),
        spec.getDomains(),
        snapshot.getOrdinals().stream().mapToLong(Long::longValue).toArray());
  }
}
