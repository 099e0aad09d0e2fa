package io.sluice.serve.course;

import io.sluice.control.history.MixtureVersions;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.ControlEntry.Grant;
import io.sluice.mixture.log.ControlEntry.PhaseChange;
import io.sluice.mixture.log.ControlEntry.Refused;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.ControlEntry.Started;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What a run mixed, from the entries of its log: the weights that were granted, the shares that
 * came of them, and what happened. Of a run that was rewound, what stands. Not thread-safe.
 */
public final class RunCourse {
  /** Numbers that a series keeps at most, over all domains. */
  private static final int NUMBERS = 1 << 20;

  private static final int MOST_ROWS = 2048;
  private static final int MOST_NOTES = 1000;

  private final MixtureVersions versions = new MixtureVersions();
  private final Series weights;
  private final Series realised;
  private final Deque<Note> notes = new ArrayDeque<>();
  private int timeline;
  private long granted;

  /**
   * A course that has not begun.
   *
   * @param domains how many the run has, which bounds how many rows are kept
   */
  public RunCourse(int domains) {
    int rows = Math.max(Series.LEAST, Math.min(MOST_ROWS, NUMBERS / Math.max(1, domains)));
    weights = new Series(rows);
    realised = new Series(rows);
  }

  /** Takes the next entry that applies. */
  public void accept(ControlEntry entry) {
    if (entry.body() instanceof Revised revised) {
      revise(entry, revised);
    }
    versions
        .next(entry)
        .ifPresent(
            version -> weights.add(version.firstBatch() - 1, floats(version.weights().shares())));
    if (entry.body() instanceof Started started) {
      granted = started.snapshot().batch();
      note(granted > 0 ? Note.Kind.FORKED : Note.Kind.STARTED, granted, entry.why());
    } else if (entry.body() instanceof Grant grant) {
      grant(grant);
    } else if (entry.body() instanceof PhaseChange change) {
      note(Note.Kind.PHASE, granted, reasoned(change.phase().wireName(), entry.why()));
    } else if (entry.body() instanceof Refused) {
      note(Note.Kind.REFUSED, granted, entry.why());
    }
  }

  private void revise(ControlEntry entry, Revised revised) {
    long batch = revised.snapshot().batch();
    boolean rewound = entry.timeline() != timeline;
    timeline = entry.timeline();
    granted = batch;
    if (rewound) {
      weights.endAt(batch);
      realised.endAt(batch);
      notes.removeIf(note -> note.batch() > batch);
    }
    note(rewound ? Note.Kind.REWOUND : Note.Kind.REVISED, batch, entry.why());
  }

  private void grant(Grant grant) {
    int domains = grant.effective().size();
    float[] shares = new float[domains];
    long sequences = 0;
    for (int i = 0; i < grant.counts().length; i++) {
      shares[i % domains] += grant.counts()[i];
      sequences += grant.counts()[i];
    }
    for (int i = 0; i < domains; i++) {
      shares[i] /= Math.max(1, sequences);
    }
    granted = grant.to();
    realised.add(grant.after(), shares);
    grant
        .decision()
        .ifPresent(
            round ->
                note(
                    Note.Kind.ROUND,
                    grant.after(),
                    "round " + round.round() + (round.kept() ? ": timed out, weights stay" : "")));
  }

  private void note(Note.Kind kind, long batch, String text) {
    notes.addLast(new Note(kind, timeline, batch, text));
    if (notes.size() > MOST_NOTES) {
      notes.removeFirst();
    }
  }

  private static String reasoned(String phase, String why) {
    return why.isEmpty() ? phase : phase + ": " + why;
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  /** Weights by the batch before the first that they govern. */
  public Series weights() {
    return weights;
  }

  /** Shares of the sequences of each grant, by the batch before its first. */
  public Series realised() {
    return realised;
  }

  /** What happened, oldest first; the newest of it. */
  public List<Note> notes() {
    return List.copyOf(notes);
  }
}
