package io.sluice.jobs.mix.tail;

import io.sluice.jobs.mix.split.LaneEnd;
import io.sluice.jobs.mix.split.LogPrefix;
import io.sluice.jobs.mix.split.MixSplit;
import io.sluice.jobs.mix.split.RunOutline;
import io.sluice.jobs.mix.split.SplitPlaces;
import io.sluice.jobs.mix.tail.TopicEnds.Answers;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.EntryLink;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.LogBeginning;
import io.sluice.schema.LogBeginnings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the logs of runs say, read from snapshots in them on where there are any. */
record RunLogReading(RunLogScan logs, LogBeginnings beginnings, KeptEntries kept) {
  private static final Logger LOG = LoggerFactory.getLogger(RunLogReading.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /**
   * What came of some logs.
   *
   * @param gone runs whose logs are
   * @param unknown runs of whose logs nothing is known now
   * @param broken why the logs of others have no outline
   */
  record Outlines(
      Map<String, RunOutline> runs,
      Set<String> gone,
      Set<String> unknown,
      Map<String, RuntimeException> broken) {}

  /**
   * The outlines of runs, each from the newest snapshot in its log on.
   *
   * @param runs the splits of each, as of its start
   */
  Outlines outlines(Map<String, List<MixSplit>> runs) {
    Outlines found =
        new Outlines(new HashMap<>(), new HashSet<>(), new HashSet<>(), new HashMap<>());
    Answers there = logs.ask(runs.values().stream().map(lanes -> lanes.get(0)).toList());
    Set<String> own = new HashSet<>();
    runs.forEach(
        (id, lanes) -> {
          String topic = logs.topic(lanes.get(0));
          addIf(own, id, isOwn(lanes.get(0)) && there.of(topic) != null);
          addIf(found.unknown(), id, there.isUnknown(topic));
        });
    Map<String, LogBeginning> newest = beginnings.newest(own, PATIENCE);
    runs.forEach(
        (runId, lanes) -> {
          if (!found.unknown().contains(runId)) {
            found.runs().put(runId, begun(lanes, Optional.ofNullable(newest.get(runId))));
            kept.begin(runId);
          }
        });
    found.gone().addAll(logs.read(ends(found.runs().values()), there, new OutlineReader(found)));
    return found;
  }

  private static void addIf(Set<String> set, String runId, boolean isOne) {
    if (isOne) {
      set.add(runId);
    }
  }

  private static boolean isOwn(MixSplit run) {
    return run.controlPartition() == MixSplit.OWN_LOG;
  }

  private static RunOutline begun(List<MixSplit> lanes, Optional<LogBeginning> newest) {
    return newest
        .flatMap(beginning -> prefix(lanes.get(0), beginning))
        .map(prefix -> new RunOutline(lanes, prefix))
        .orElseGet(() -> new RunOutline(lanes));
  }

  private static Optional<LogPrefix> prefix(MixSplit run, LogBeginning beginning) {
    if (beginning.entry().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LogPrefix.of(run, beginning.entry().get(), beginning.offset(), beginning.digest()));
    } catch (IllegalArgumentException e) {
      LOG.warn("The log of run {} is read from its start", run.runId(), e);
      return Optional.empty();
    }
  }

  private static List<RunLogScan.After> ends(Collection<RunOutline> outlines) {
    return outlines.stream()
        .map(outline -> new RunLogScan.After(outline.first(), outline.position()))
        .toList();
  }

  /** Folds entries to outlines, and keeps them. */
  private final class OutlineReader implements RunLogScan.Reader {
    private final Outlines found;

    OutlineReader(Outlines found) {
      this.found = found;
    }

    @Override
    public void take(ControlEntry entry, long offset, int bytes) {
      change(
          entry.runId(),
          outline -> {
            if (outline.apply(entry, offset)) {
              kept.add(entry, offset, bytes);
            }
          });
    }

    @Override
    public void reject(EntryLink record, long offset, String reason) {
      change(record.runId(), outline -> outline.reject(record, offset, reason));
    }

    @Override
    public boolean isDone(String runId) {
      return found.broken().containsKey(runId);
    }

    private void change(String runId, Consumer<RunOutline> how) {
      RunOutline outline = found.runs().get(runId);
      if (outline != null) {
        try {
          how.accept(outline);
        } catch (RuntimeException e) {
          found.broken().put(runId, e);
          kept.drop(runId);
        }
      }
    }
  }

  /**
   * The splits that go on where a run's stream ends.
   *
   * @throws io.sluice.jobs.mix.split.BrokenRunException if the log does not say how
   * @throws LeaderNotAvailableException if that is not known now
   */
  List<MixSplit> splits(RunOutline outline, Collection<LaneEnd> ends) {
    long first = ends.stream().mapToLong(LaneEnd::index).min().orElse(Long.MAX_VALUE);
    LogPrefix prefix = outline.before(first, named -> earlier(outline, named));
    SplitPlaces places = new SplitPlaces(outline, prefix, ends);
    Optional<List<KeptEntries.Entry>> again =
        prefix.equals(outline.prefix()) ? kept.of(outline.runId()) : Optional.empty();
    if (again.isPresent()) {
      again.get().forEach(each -> places.apply(each.entry(), each.offset()));
    } else {
      Answers there = logs.ask(List.of(outline.first()));
      if (there.isUnknown(logs.topic(outline.first()))) {
        throw new LeaderNotAvailableException(
            "nothing is known of " + logs.topic(outline.first()) + " now");
      }
      logs.read(
          List.of(new RunLogScan.After(outline.first(), prefix.position())),
          there,
          new PlaceReader(places));
    }
    return new ArrayList<>(places.end());
  }

  private Optional<LogPrefix> earlier(RunOutline outline, EarlierSnapshot named) {
    return beginnings
        .earlier(outline.runId(), named, PATIENCE)
        .flatMap(beginning -> prefix(outline.first(), beginning));
  }

  private record PlaceReader(SplitPlaces places) implements RunLogScan.Reader {
    @Override
    public void take(ControlEntry entry, long offset, int bytes) {
      places.apply(entry, offset);
    }

    @Override
    public void reject(EntryLink record, long offset, String reason) {
      // What is no entry does not apply; the outline would have failed if it had to.
    }

    @Override
    public boolean isDone(String runId) {
      return places.isComplete();
    }
  }
}
