package io.sluice.control.wire;

import io.sluice.mixture.log.Lineage;
import io.sluice.mixture.log.Lineage.Opening;
import io.sluice.mixture.log.LogSummary;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.Limits;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.RevisedVersion;
import io.sluice.schema.TimelineOpening;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What snapshots of logs say of a run's state, as records on the wire, and back. */
public final class LogSummaries {
  private LogSummaries() {}

  /**
   * What a snapshot says of the run's state.
   *
   * @throws IllegalArgumentException if it cannot be of a run
   */
  static LogSummary read(LogSnapshot snapshot) {
    Limits.requireText("streamTopicId", snapshot.getStreamTopicId(), 0, Limits.TOPIC_ID);
    List<TimelineOpening> openings = snapshot.getOpenings();
    List<Opening> lineage = new ArrayList<>();
    for (TimelineOpening opening : openings) {
      // Whatever batch the run begins after, its first timeline owns step 0.
      long after = lineage.isEmpty() ? -1 : opening.getAfter();
      lineage.add(new Opening(opening.getTimeline(), after));
    }
    SortedMap<Long, Integer> revisions = new TreeMap<>();
    snapshot
        .getRevisions()
        .forEach(each -> revisions.put(each.getBatch(), each.getWeightsVersion()));
    snapshot.getAnswered().forEach(ControlWire::commandId);
    return new LogSummary(
        snapshot.getPlanVersion(),
        RunSpecs.settings(snapshot.getSpec()),
        RunPhase.ofWireName(snapshot.getState()),
        new Lineage(lineage),
        Snapshots.read(snapshot.getSnapshot()),
        snapshot.getHeardTo(),
        revisions,
        snapshot.getAnswered());
  }

  /** The snapshot's part of a run's state; what else it says is left to be added. */
  public static LogSnapshot.Builder write(LogSummary summary) {
    return LogSnapshot.newBuilder()
        .setPlanVersion(summary.planVersion())
        .setState(summary.phase().wireName())
        .setSnapshot(Snapshots.write(summary.snapshot()))
        .setHeardTo(summary.heardTo())
        .setRevisions(
            summary.revisions().entrySet().stream()
                .map(each -> new RevisedVersion(each.getKey(), each.getValue()))
                .toList())
        .setAnswered(summary.answered());
  }
}
