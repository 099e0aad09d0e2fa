package io.sluice.mixture.log;

import io.sluice.mixture.plan.LaneShare;
import io.sluice.mixture.plan.MixturePlan;
import io.sluice.mixture.plan.Weights;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An entry of the control log, as the fold sees it.
 *
 * @param serial 0 for {@link Started}, then one more for each accepted entry
 * @param basedOn log offset of the entry with the serial before; −1 for {@link Started}
 * @param digests what that entry is by content, and this one
 * @param why the reason, for people
 */
public record ControlEntry(
    String runId,
    int timeline,
    long serial,
    long basedOn,
    EntryDigests digests,
    String why,
    Body body) {
  /** An entry of a log without digests. */
  public ControlEntry(
      String runId, int timeline, long serial, long basedOn, String why, Body body) {
    this(runId, timeline, serial, basedOn, EntryDigests.NONE, why, body);
  }

  /** The same entry in a log where it has these. */
  public ControlEntry with(EntryDigests own) {
    return new ControlEntry(runId, timeline, serial, basedOn, own, why, body);
  }

  /** What decides whether it applies. */
  public EntryStep step() {
    if (body instanceof Started started) {
      return step(EntryStep.Kind.STARTED, 0, started.snapshot().batch());
    }
    if (body instanceof Grant grant) {
      return step(EntryStep.Kind.GRANTED, grant.after(), grant.to());
    }
    return body instanceof Revised revised
        ? step(EntryStep.Kind.REVISED, revised.skippedTo(), revised.snapshot().batch())
        : step(EntryStep.Kind.CHANGED, 0, 0);
  }

  private EntryStep step(EntryStep.Kind kind, long after, long to) {
    return new EntryStep(runId, timeline, serial, basedOn, digests, kind, after, to);
  }

  /** What the entry says. */
  public sealed interface Body permits Started, Grant, PhaseChange, Revised, Refused, LogSummary {}

  /**
   * The run begins; pins everything that later decisions depend on.
   *
   * @param planVersion of {@link MixturePlan} and of where the stream's chains begin
   * @param snapshot what it begins with: that of another run's batch, for a fork
   */
  public record Started(int planVersion, RunSettings settings, Snapshot snapshot) implements Body {
    /** Checks the version, and that the snapshot fits the settings. */
    public Started {
      MixturePlan.requireKnown(planVersion);
      snapshot.requireFits(settings);
    }
  }

  /**
   * The run's state is replaced from the batch after the snapshot's. In the current timeline that
   * batch is the last granted one. In the next timeline it is any granted one: what was granted
   * beyond it belongs to the old timeline only.
   *
   * @param skippedTo last batch whose data a rewind passes over; the snapshot's when none is
   */
  public record Revised(String commandId, RunSettings settings, Snapshot snapshot, long skippedTo)
      implements Body {
    /** Checks that the snapshot fits the settings. */
    public Revised {
      snapshot.requireFits(settings);
      if (skippedTo < snapshot.batch()) {
        throw new IllegalArgumentException(
            "skippedTo must be at least " + snapshot.batch() + ": " + skippedTo);
      }
    }
  }

  /**
   * Batches (after, to] are to be mixed with exactly these counts.
   *
   * @param firstSequence global index of the first sequence of batch {@code after + 1}
   * @param batchSizes sequences of each batch
   * @param counts batches × domains, row-major
   * @param effective decided weights with masked domains at zero
   * @param bounds lanes × domains, lane-major: the ordinal that no sequence of this grant reaches,
   *     where some domain was behind and others took its seats; empty where every domain had its
   *     own
   * @param decision the round that this grant closes
   */
  public record Grant(
      long after,
      long to,
      long firstSequence,
      int weightsVersion,
      int[] batchSizes,
      int[] counts,
      Weights effective,
      long[] bounds,
      Optional<RoundDecision> decision)
      implements Body {
    /** Checks that the arrays fit the range of batches and each other. */
    public Grant {
      long batches = to - after;
      if (batches < 1 || batchSizes.length != batches) {
        throw new IllegalArgumentException(
            "a grant of ("
                + after
                + ", "
                + to
                + "] must have its batch sizes: "
                + batchSizes.length);
      }
      if (counts.length != batches * effective.size()) {
        throw new IllegalArgumentException(
            "counts must be " + batches + " x " + effective.size() + ": " + counts.length);
      }
      if (bounds.length % effective.size() != 0) {
        throw new IllegalArgumentException(
            "supply must have none or "
                + effective.size()
                + " entries for each lane: "
                + bounds.length);
      }
    }

    /** Sequences of each domain in a batch of this grant. */
    public int[] countsOf(long batch) {
      int k = effective.size();
      int row = Math.toIntExact(batch - after - 1) * k;
      return java.util.Arrays.copyOfRange(counts, row, row + k);
    }

    /** Sequences of a batch of this grant. */
    public int sizeOf(long batch) {
      return batchSizes[Math.toIntExact(batch - after - 1)];
    }

    /**
     * Replays a batch of this grant.
     *
     * @param plan before the batch
     * @param ordinals lanes × domains, lane-major: what was granted before it
     * @return its counts
     * @throws IllegalArgumentException if they do not follow from the plan
     */
    public int[] replay(long batch, MixturePlan plan, long[] ordinals) {
      int[] counted = countsOf(batch);
      if (bounds.length == 0) {
        plan.replay(effective, sizeOf(batch), counted);
      } else {
        long[] most = LaneShare.available(bounds, ordinals, counted.length);
        plan.replay(effective, sizeOf(batch), counted, most);
      }
      return counted;
    }
  }

  /**
   * A round is closed.
   *
   * @param kept whether it timed out, so that weights and policy state stay
   * @param attempt nonce of the feedback that won; '' when kept
   * @param weights decided weights after smoothing
   * @param scores what moved the weights, for people; may be empty
   * @param levels what each node of a mixture's tree got of its parent, by path; empty for a flat
   *     mixture
   */
  public record RoundDecision(
      long round,
      long step,
      boolean kept,
      String attempt,
      Weights weights,
      byte[] policyState,
      double[] scores,
      SortedMap<String, Double> levels) {}

  /**
   * The run's phase changes.
   *
   * @param commandId the command that asked for it; '' when the run itself came to it
   */
  public record PhaseChange(RunPhase phase, String commandId) implements Body {}

  /**
   * A command is refused, for the entry's reason; nothing changes.
   *
   * @param phase of the run, before and after
   */
  public record Refused(RunPhase phase, String commandId) implements Body {}
}
