package io.sluice.control.snapshot;

import io.sluice.mixture.log.InvariantViolatedException;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.ForkPoint;
import io.sluice.schema.GoverningEntry;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.MixtureGrant;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunRevised;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.RunStateChanged;
import io.sluice.schema.TimelineOpening;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run's log says besides the run's state, as far as snapshots of the log hold it: where
 * timelines and specifications begin, which snapshots there were, and what people are told.
 */
public final class LogOutline {
  /** How many earlier snapshots one names. */
  private static final int MOST_EARLIER = 64;

  private final int planVersion;
  private final String streamTopicId;
  private final @Nullable ForkPoint origin;
  private RunSpec spec;
  String why;
  long rounds;
  final List<TimelineOpening> openings;
  final List<GoverningEntry> governing;
  final List<EarlierSnapshot> earlier;

  private LogOutline(
      int planVersion,
      String streamTopicId,
      @Nullable ForkPoint origin,
      RunSpec spec,
      String why,
      long rounds,
      List<TimelineOpening> openings,
      List<GoverningEntry> governing,
      List<EarlierSnapshot> earlier) {
    this.planVersion = planVersion;
    this.streamTopicId = streamTopicId;
    this.origin = origin;
    this.spec = spec;
    this.why = why;
    this.rounds = rounds;
    this.openings = new ArrayList<>(openings);
    this.governing = new ArrayList<>(governing);
    this.earlier = new ArrayList<>(earlier);
  }

  /**
   * Of a log of which nothing is known but one record.
   *
   * @param first a start, or a snapshot
   */
  public static LogOutline begun(ControlRecord first, long offset) {
    if (first.getBody() instanceof LogSnapshot said) {
      LogOutline outline =
          new LogOutline(
              said.getPlanVersion(),
              said.getStreamTopicId(),
              said.getOrigin(),
              said.getSpec(),
              said.getWhy(),
              said.getRounds(),
              said.getOpenings(),
              said.getGoverning(),
              said.getEarlier());
      outline.remember(said, first.getSerial(), offset);
      return outline;
    }
    RunStarted started = (RunStarted) first.getBody();
    RunOrigin from = started.getOrigin();
    long after = from == null ? 0 : from.getSnapshot().getBatch();
    long next = from == null ? 0 : from.getSnapshot().getNextSequence();
    return new LogOutline(
        started.getPlanVersion(),
        started.getStreamTopicId(),
        from == null ? null : new ForkPoint(from.getRunId(), from.getTimeline(), after, next),
        started.getSpec(),
        "",
        0,
        List.of(new TimelineOpening(0, after, next)),
        List.of(new GoverningEntry(first.getSerial(), offset, after, next)),
        List.of());
  }

  /**
   * Takes the next entry that was accepted.
   *
   * @throws InvariantViolatedException if it is a snapshot that says something else
   */
  public void accept(ControlRecord record, long offset) {
    if (record.getBody() instanceof LogSnapshot said) {
      require(record.getSerial(), said);
      remember(said, record.getSerial(), offset);
    } else if (record.getBody() instanceof MixtureGrant grant && grant.getDecision() != null) {
      rounds++;
    } else if (record.getBody() instanceof RunStateChanged change && !change.getRefused()) {
      why = record.getWhy();
    } else if (record.getBody() instanceof RunRevised revised) {
      revise(record, revised, offset);
    }
  }

  private void revise(ControlRecord record, RunRevised revised, long offset) {
    long after = revised.getSnapshot().getBatch();
    long next = revised.getSnapshot().getNextSequence();
    if (record.getTimeline() != newest()) {
      openings.subList(1, openings.size()).removeIf(each -> each.getAfter() >= after);
      openings.add(new TimelineOpening(record.getTimeline(), after, next));
      earlier.removeIf(each -> each.getBatch() > after);
    }
    boolean replaces = governing.removeIf(each -> each.getAfter() >= after);
    if (replaces || !spec.equals(revised.getSpec())) {
      governing.add(new GoverningEntry(record.getSerial(), offset, after, next));
      spec = revised.getSpec();
    }
  }

  private int newest() {
    return openings.get(openings.size() - 1).getTimeline();
  }

  /** Of more than are kept, every second one goes: the older they are, the fewer there are. */
  private void remember(LogSnapshot said, long serial, long offset) {
    earlier.add(new EarlierSnapshot(said.getSnapshot().getBatch(), serial, offset));
    if (earlier.size() > MOST_EARLIER) {
      for (int odd = earlier.size() - 1 - earlier.size() % 2; odd > 0; odd -= 2) {
        earlier.remove(odd);
      }
    }
  }

  private void require(long serial, LogSnapshot said) {
    String snapshot = "snapshot at serial " + serial + ": ";
    require(snapshot + "streamTopicId", streamTopicId, said.getStreamTopicId());
    require(
        snapshot + "origin", Optional.ofNullable(origin), Optional.ofNullable(said.getOrigin()));
    require(snapshot + "spec", spec, said.getSpec());
    require(snapshot + "why", why, said.getWhy());
    require(snapshot + "rounds", rounds, said.getRounds());
    require(snapshot + "openings", openings, said.getOpenings());
    require(snapshot + "governing", governing, said.getGoverning());
    require(snapshot + "earlier", earlier, said.getEarlier());
  }

  /** The same run's, later on. */
  LogOutline later(
      RunSpec spec,
      String why,
      long rounds,
      List<TimelineOpening> openings,
      List<GoverningEntry> governing,
      List<EarlierSnapshot> earlier) {
    return new LogOutline(
        planVersion, streamTopicId, origin, spec, why, rounds, openings, governing, earlier);
  }

  private static void require(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new InvariantViolatedException(what, expected, actual);
    }
  }

  /**
   * Adds what snapshots say besides the run's state.
   *
   * @param digest of the last entry
   */
  LogSnapshot addTo(LogSnapshot.Builder snapshot, long digest) {
    return snapshot
        .setDigest(digest)
        .setPlanVersion(planVersion)
        .setStreamTopicId(streamTopicId)
        .setSpec(spec)
        .setWhy(why)
        .setRounds(rounds)
        .setOpenings(List.copyOf(openings))
        .setGoverning(List.copyOf(governing))
        .setOrigin(origin)
        .setEarlier(List.copyOf(earlier))
        .build();
  }

  /** The specification in force. */
  public RunSpec spec() {
    return spec;
  }

  /** Of the plan; pinned by the run's first entry. */
  public int planVersion() {
    return planVersion;
  }

  /** Kafka's id of the stream's topic; '' when it is not known. */
  public String streamTopicId() {
    return streamTopicId;
  }

  /** Reason of the run's state; '' when nothing has changed it. */
  public String why() {
    return why;
  }

  /** How many rounds were closed, those of earlier timelines included. */
  public long rounds() {
    return rounds;
  }

  /** The batch that the run begins after. */
  public long begins() {
    return openings.get(0).getAfter();
  }

  /** The batch of another run that this one goes on from, for a fork. */
  public Optional<ForkPoint> origin() {
    return Optional.ofNullable(origin);
  }
}
