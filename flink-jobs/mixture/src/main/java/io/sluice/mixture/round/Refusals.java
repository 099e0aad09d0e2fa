package io.sluice.mixture.round;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * What of a run's feedback does not count, for people. What is repeated is counted apart from what
 * is refused: trainers that resume from a checkpoint measure again what was decided while they were
 * at it before, and nothing is wrong with that.
 */
public final class Refusals {
  /** The step's round is closed, or its winner is known. */
  public static final String DECIDED = "the step is decided";

  /** What is reported is there. */
  public static final String REPEATED = "this rank of the attempt has reported already";

  private long refused;
  private String last = "";
  private long repeated;
  private String lastRepeated = "";

  /** How much was refused. */
  public long refused() {
    return refused;
  }

  /** What was refused last, and why; ''. */
  public String last() {
    return last;
  }

  /** How much was reported again that is decided, or there. */
  public long repeated() {
    return repeated;
  }

  /** The last of that; ''. */
  public String lastRepeated() {
    return lastRepeated;
  }

  /** Something is refused that is no feedback. */
  public void refuse(String text) {
    last = text;
  }

  /** Feedback is refused. */
  public void count(String text) {
    refused++;
    last = text;
  }

  /**
   * Feedback does not count.
   *
   * @param reason as it begins, whatever the feedback itself may hold
   * @param text what is told of it
   */
  public void count(String reason, String text) {
    if (isReplay(reason)) {
      repeated++;
      lastRepeated = text;
    } else {
      count(text);
    }
  }

  private static boolean isReplay(String reason) {
    return reason.startsWith(DECIDED)
        || reason.startsWith(REPEATED)
        || reason.startsWith("feedback " + Report.CLOSED);
  }

  /** Writes version 2. */
  public void write(DataOutputStream out) throws IOException {
    out.writeLong(refused);
    out.writeUTF(last);
    out.writeLong(repeated);
    out.writeUTF(lastRepeated);
  }

  /** Reads version 1 or 2; in version 1 all was counted together, and told by the last. */
  public void read(int version, DataInputStream in) throws IOException {
    refused = in.readLong();
    last = in.readUTF();
    if (version > 1) {
      repeated = in.readLong();
      lastRepeated = in.readUTF();
    } else if (isReplay(last.replaceFirst("^step .*? of \\d+: ", ""))) {
      repeated = refused;
      lastRepeated = last;
      refused = 0;
      last = "";
    }
  }
}
