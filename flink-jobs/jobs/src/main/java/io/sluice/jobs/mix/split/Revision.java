package io.sluice.jobs.mix.split;

import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.mixture.log.Snapshot;
import java.util.Arrays;
import java.util.List;

/**
 * A revision of a run that a split has read, and turns to once the batches that stand are emitted.
 *
 * @param after place in the control log once it applies
 */
public record Revision(LogPosition after, Revised body) {
  /** Last batch that is emitted as it was granted before. */
  public long lastBatch() {
    return body.snapshot().batch();
  }

  /** Whether the stream goes on in the next timeline. */
  boolean opens(int timeline) {
    return after.timeline() != timeline;
  }

  /** Whether the split can go on as it is: the same timeline, domains and seed. */
  public boolean keeps(RunLayout layout, int timeline) {
    return !opens(timeline)
        && layout.domains().equals(body.settings().domains())
        && layout.seed() == body.settings().seed();
  }

  /**
   * Checks that the split can go on with the revised run. A rewind may lead back to before domains
   * were added; nothing else takes any away.
   *
   * @throws BrokenRunException if it cannot
   */
  public void requireContinues(RunLayout layout, int timeline) {
    List<String> before = layout.domains();
    List<String> after = body.settings().domains();
    int common = Math.min(before.size(), after.size());
    boolean appended = after.subList(0, common).equals(before.subList(0, common));
    if (!appended || (common < before.size() && !opens(timeline))) {
      throw new BrokenRunException(
          "entry "
              + this.after.serial()
              + " revises the domains "
              + before
              + " to "
              + after
              + ": domains can only be added at the end");
    }
  }

  /**
   * The split that goes on after the batches that stand.
   *
   * @param split as of its last sequence
   * @param phase of the run
   * @throws BrokenRunException if the revision goes on in the same timeline, but elsewhere
   */
  public MixSplit turn(MixSplit split, RunPhase phase) {
    SplitCursor at = split.cursor();
    Snapshot snapshot = body.snapshot();
    RunLayout layout = split.layout().revised(body.settings());
    long[] ordinals = SplitCursor.ordinalsOf(snapshot, split.lane(), layout);
    boolean opens = opens(at.control().timeline());
    if (!opens) {
      requireSame(at.firstIndex(), at.ordinals(), ordinals);
    }
    return split.at(
        layout,
        new SplitCursor(
            after,
            phase,
            snapshot.batch() + 1,
            0,
            snapshot.nextSequence(),
            ordinals,
            SplitCursor.usedBy(snapshot, layout),
            SplitCursor.resized(at.sizes(), layout.domains().size()),
            opens ? SplitCursor.newChains(layout) : at.chains()));
  }

  /**
   * Checks that the revision goes on where a split is after the last batch that stands.
   *
   * @param reached the split's next ordinals
   * @param ordinals the revision's
   */
  public void requireSame(long index, long[] reached, long[] ordinals) {
    if (index == body.snapshot().nextSequence()
        && Arrays.equals(reached, Arrays.copyOf(ordinals, reached.length))) {
      return;
    }
    throw new BrokenRunException(
        "entry "
            + after.serial()
            + " revises the run from index "
            + body.snapshot().nextSequence()
            + " and ordinals "
            + Arrays.toString(ordinals)
            + " on, its stream is at index "
            + index
            + " and ordinals "
            + Arrays.toString(reached));
  }
}
