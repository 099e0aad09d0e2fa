package io.sluice.lab.chaos.trainer;

import java.util.List;

/**
 * What became of a run.
 *
 * @param delivery of its sequences, one of {@link io.sluice.schema.run.Delivery}
 * @param batches that its trainer accepted
 * @param sequences in them
 * @param replayed batches that it took again after going back to a checkpoint
 * @param duplicates records of the stream that a reader drops; -1 if the stream is gone
 * @param logged batches whose rows are those that the log and the blocks give
 * @param shared of these, batches that were read with the other delivery, too
 * @param refused how often the reader refused a file, and was asked again
 * @param lost batches that the trainer never saw
 * @param repeated batches that it saw twice without going back
 * @param differing batches that are not what the log, the stream or another run that decides alike
 *     say, or not the same when replayed
 * @param wrongVersion batches under another mixture than the log says
 * @param violations what the audit found, and what was refused without the name of a file that was
 *     spoilt
 */
public record Verdict(
    String runId,
    String policy,
    String delivery,
    long batches,
    long sequences,
    long replayed,
    long duplicates,
    long logged,
    long shared,
    long refused,
    long lost,
    long repeated,
    long differing,
    long wrongVersion,
    List<String> violations) {
  public Verdict {
    violations = List.copyOf(violations);
  }

  /** Whether nothing happened that must not. */
  public boolean holds() {
    return lost + repeated + differing + wrongVersion == 0 && violations.isEmpty();
  }
}
