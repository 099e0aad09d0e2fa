package io.sluice.client.derive;

import io.sluice.mixture.log.ControlEntry.Grant;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a run that are granted and not behind what is asked for, and the state before the
 * first of them. What cannot be is an {@link IllegalArgumentException} that names batch and
 * numbers. Not thread-safe.
 */
final class GrantedBatches {
  private long needed;
  private long asked;
  private @Nullable Cursor cursor;
  private final ArrayDeque<Step> steps = new ArrayDeque<>();
  private int timeline;
  private long granted;
  private long nextIndex;
  private int weightsVersion;

  /**
   * None yet.
   *
   * @param from batches before it are not asked for
   */
  GrantedBatches(long from) {
    this.needed = from;
  }

  /** Forgets everything, and goes on from there. */
  void begin(Turn first) {
    steps.clear();
    cursor = new Cursor(first);
    goOnAfter(first);
  }

  private void goOnAfter(Turn turn) {
    timeline = turn.timeline();
    granted = turn.batch();
    nextIndex = turn.firstIndex();
    weightsVersion = turn.weightsVersion();
  }

  /** Takes a grant. */
  void add(Granted next) {
    Grant grant = next.grant();
    if (grant.after() != granted
        || grant.firstSequence() != nextIndex
        || grant.weightsVersion() < weightsVersion) {
      throw new IllegalArgumentException(
          ("batch %d of weights version %d is granted from sequence %d on: expected batch %d of at"
                  + " least version %d from sequence %d on")
              .formatted(
                  grant.after() + 1,
                  grant.weightsVersion(),
                  grant.firstSequence(),
                  granted + 1,
                  weightsVersion,
                  nextIndex));
    }
    steps.add(next);
    granted = grant.to();
    nextIndex += next.sequences();
    weightsVersion = grant.weightsVersion();
    pass();
  }

  /** Takes a revision, or a snapshot of the log. */
  void turn(Turn next) {
    if (next.timeline() != timeline) {
      leave(next.batch());
    } else if (next.batch() != granted) {
      throw new IllegalArgumentException(
          "batch %d is revised, the last granted one is %d".formatted(next.batch(), granted));
    }
    if (cursor().batch() > next.batch()) {
      cursor = new Cursor(next);
    } else {
      steps.add(next);
    }
    goOnAfter(next);
    pass();
  }

  /** Drops what was granted beyond a batch, after which a timeline is opened. */
  private void leave(long last) {
    List<Step> left =
        steps.stream().filter(step -> !step.isAfter(last)).map(step -> step.until(last)).toList();
    steps.clear();
    steps.addAll(left);
    if (asked > last) {
      needed = Math.min(needed, last + 1);
    }
  }

  /** Goes past what nobody asks for any more. */
  private void pass() {
    Cursor at = cursor();
    for (Step next = steps.peek(); next != null; next = steps.peek()) {
      if (next instanceof Turn turn) {
        at.take(turn);
      } else if (next instanceof Granted left) {
        while (at.batch() + 1 < needed && at.batch() < left.to()) {
          at.pass(left.grant());
        }
        if (at.batch() < left.to()) {
          return;
        }
      }
      steps.remove();
    }
  }

  /** The last granted batch. */
  long last() {
    return granted;
  }

  /** Whether a batch is before the first of these, granted or not. */
  boolean isPast(long batch) {
    return cursor != null && batch <= cursor.batch();
  }

  /** Whether a batch is one of these. */
  boolean has(long batch) {
    return cursor != null && !isPast(batch) && batch <= granted;
  }

  /** Goes to one of these batches; those before it are dropped. */
  void goTo(long batch) {
    needed = batch;
    asked = batch;
    pass();
  }

  /** The state before the batch that was gone to. */
  Cursor cursor() {
    Cursor known = cursor;
    if (known == null) {
      throw new IllegalStateException("the log of the run has not been begun");
    }
    return known;
  }

  /** The grant of the batch that was gone to. */
  Grant grant() {
    return ((Granted) steps.element()).grant();
  }
}
