package io.sluice.client.feedback;

import io.sluice.client.run.ExposedTime;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongToIntFunction;
import org.apache.avro.specific.SpecificRecordBase;
import org.jspecify.annotations.Nullable;

/**
 * What a rank said last, as far as its run may still wait for it: the progress, and the reports of
 * steps whose rounds may be open. Thread-safe.
 */
public final class LastWords {
  /** Most bytes of reports that are kept; the oldest go first. */
  static final int CAPACITY = 32 << 20;

  private static final int MOST_REPORTS = 64;

  private final Map<Measured, Report> reports = new LinkedHashMap<>();
  private int bytes;
  private @Nullable TrainerProgress progress;
  private byte[] progressValue = {};

  /** What a later report takes the place of an earlier one of. */
  private record Measured(long step, String metric) {}

  private record Report(int timeline, byte[] value, long openTo) {}

  /**
   * Keeps a record that is sent.
   *
   * @param openTo of a report the last batch that may be trained on before its round is closed
   */
  public synchronized void said(SpecificRecordBase message, byte[] value, long openTo) {
    if (message instanceof TrainerProgress said) {
      progress = said;
      progressValue = value;
      forgetClosed(said.getBatch());
    } else if (message instanceof TrainerFeedback report) {
      Measured measured = new Measured(report.getStep(), report.getMetric());
      remove(measured);
      reports.put(measured, new Report(report.getTimeline(), value, openTo));
      bytes += value.length;
      for (Measured oldest : List.copyOf(reports.keySet())) {
        if (bytes > CAPACITY || reports.size() > MOST_REPORTS) {
          remove(oldest);
        }
      }
    }
  }

  /** Progress that is said again says what was waited until now. */
  synchronized void exposed(ExposedTime until) {
    TrainerProgress said = progress;
    if (said != null) {
      progress = TrainerProgress.newBuilder(said).setExposed(until.toWire()).build();
      progressValue = WireCodec.encode(progress);
    }
  }

  private void forgetClosed(long trained) {
    for (Map.Entry<Measured, Report> said : List.copyOf(reports.entrySet())) {
      if (said.getValue().openTo() < trained) {
        remove(said.getKey());
      }
    }
  }

  private void remove(Measured measured) {
    Report old = reports.remove(measured);
    bytes -= old == null ? 0 : old.value().length;
  }

  /**
   * What stands of it in the timelines that the trainer follows, in the order of saying.
   *
   * @param owner of each batch among them
   * @param newest of them
   */
  public synchronized List<byte[]> standing(LongToIntFunction owner, int newest) {
    for (Map.Entry<Measured, Report> said : List.copyOf(reports.entrySet())) {
      if (owner.applyAsInt(said.getKey().step()) != said.getValue().timeline()) {
        remove(said.getKey());
      }
    }
    List<byte[]> standing = new ArrayList<>(reports.values().stream().map(Report::value).toList());
    TrainerProgress said = progress;
    if (said != null
        && (said.getTimeline() == newest
            || said.getTimeline() == owner.applyAsInt(said.getBatch()))) {
      standing.add(progressValue);
    }
    return standing;
  }
}
