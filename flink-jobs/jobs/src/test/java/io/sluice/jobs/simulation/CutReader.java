package io.sluice.jobs.simulation;

import io.sluice.client.run.RunLogFold;
import io.sluice.control.wire.ControlWire;
import io.sluice.jobs.mix.split.BrokenRunException;
import io.sluice.mixture.log.BrokenLogException;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.LogDoubts;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.MixtureGrant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Who follows a run's log and takes what it grants: a trainer, or the job's emitter. */
abstract class CutReader {
  private final CutWorld.Reading reading;
  private final TreeMap<Long, List<Object>> taken = new TreeMap<>();
  private final TreeMap<Long, List<Object>> granted = new TreeMap<>();
  final CutLog log;
  final String runId;
  int next;

  CutReader(CutLog log, String runId, CutWorld.Reading reading) {
    this.log = log;
    this.runId = runId;
    this.reading = reading;
  }

  /** Reads to the log's present end. */
  abstract void follow();

  /** Its consumer notices that the log has become shorter than what it has read. */
  abstract void lose();

  /** Whether it has come to its end, and says why. */
  abstract boolean stopped();

  /** Where it stands. */
  abstract LogPosition position();

  boolean checksAnchor() {
    return reading.checksAnchor();
  }

  /** The record at an offset, as this reader takes it. */
  ControlRecord read(int offset) {
    return reading.read(log.record(offset), position());
  }

  /** Takes up to so many batches of those that are granted. */
  void take(int batches) {
    granted.tailMap(taken.isEmpty() ? 0 : taken.lastKey(), false).entrySet().stream()
        .limit(stopped() ? 0 : batches)
        .toList()
        .forEach(batch -> taken.put(batch.getKey(), batch.getValue()));
  }

  Map<Long, List<Object>> taken() {
    return taken;
  }

  /** Takes note of what an entry that applied grants. */
  void grants(ControlRecord record) {
    if (record.getBody() instanceof MixtureGrant grant) {
      int domains = grant.getEffectiveWeights().size();
      for (int i = 0; i < grant.getBatchSizes().size(); i++) {
        List<Integer> counts = grant.getCounts().subList(i * domains, (i + 1) * domains);
        granted.put(grant.getAfter() + 1 + i, List.of(counts, grant.getWeightsVersion()));
      }
    }
  }

  /** A trainer's client. */
  static final class Client extends CutReader {
    private final RunLogFold fold;
    private LogPosition at;

    Client(CutLog log, String runId, CutWorld.Reading reading) {
      super(log, runId, reading);
      fold = new RunLogFold(runId);
      at = LogPosition.start(runId);
    }

    @Override
    void follow() {
      boolean came = next != log.end();
      if (checksAnchor()) {
        fold.goOn();
      }
      readOn();
      if (checksAnchor() && (fold.doubts() || !came) && fold.currentOffset().isPresent()) {
        int offset = (int) fold.currentOffset().getAsLong();
        boolean here = offset < log.end();
        fold.confirm(here ? Optional.of(EntryDigest.of(log.value(offset))) : Optional.empty());
        next = Math.min(offset + 1, log.end());
        readOn();
      }
    }

    @Override
    void lose() {
      next = next > log.end() ? 0 : next;
    }

    private void readOn() {
      for (; next < log.end(); next++) {
        ControlRecord record = read(next);
        fold.apply(0, next, record, EntryDigest.of(log.value(next)));
        if (!stopped()
            && !fold.doubts()
            && next > at.offset()
            && at.isNext(ControlWire.link(record, log.value(next)))) {
          at = at.after(ControlWire.read(record, log.value(next)), next);
          grants(record);
        }
      }
    }

    @Override
    boolean stopped() {
      return fold.emitsNoMore();
    }

    @Override
    LogPosition position() {
      return at;
    }
  }

  /** The job's emitter. */
  static final class Emitter extends CutReader {
    private LogPosition at;
    private boolean stopped;
    private final LogDoubts doubts = new LogDoubts();

    Emitter(CutLog log, String runId, CutWorld.Reading reading) {
      super(log, runId, reading);
      at = LogPosition.start(runId);
    }

    @Override
    void follow() {
      for (; next < log.end() && !stopped; next++) {
        ControlRecord record = read(next);
        ControlEntry entry = ControlWire.read(record, log.value(next));
        try {
          BrokenRunException.requireKept(at, entry, next);
          if (at.accepts(entry)) {
            at = at.after(entry, next);
            grants(record);
            stopped =
                entry.body() instanceof ControlEntry.PhaseChange change
                    && change.phase() == RunPhase.FAILED;
          } else if (checksAnchor() && doubts.raises(at, entry.step().link(), next)) {
            next = (int) at.offset() - 1;
          }
        } catch (BrokenRunException | BrokenLogException e) {
          stopped = true;
        }
      }
    }

    @Override
    void lose() {
      stopped |= next > log.end();
    }

    @Override
    boolean stopped() {
      return stopped;
    }

    @Override
    LogPosition position() {
      return at;
    }
  }
}
