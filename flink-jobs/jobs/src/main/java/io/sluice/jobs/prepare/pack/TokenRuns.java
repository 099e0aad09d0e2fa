package io.sluice.jobs.prepare.pack;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which of a block's tokens count in the loss, as lengths of runs: that count, that do not, … */
final class TokenRuns {
  private final List<Integer> runs = new ArrayList<>();
  private int first;

  /**
   * Of a document's tokens.
   *
   * @param counted runs; those after the last do not count; none if all do
   */
  static TokenRuns of(int[] counted, int tokens) {
    TokenRuns runs = new TokenRuns();
    int left = tokens;
    for (int run = 0; run < counted.length; run++) {
      int length = Math.min(left, counted[run]);
      runs.add(run % 2 == 0, length);
      left -= length;
    }
    runs.add(counted.length == 0, left);
    return runs;
  }

  /** Adds tokens that count as the last one does. */
  void extend(int tokens) {
    add(runs.size() % 2 == 1, tokens);
  }

  /** Moves tokens from the beginning of these to the end of others. */
  void moveTo(TokenRuns target, int tokens) {
    int left = tokens;
    while (left > 0) {
      int moved = Math.min(left, runs.get(first));
      target.add(first % 2 == 0, moved);
      runs.set(first, runs.get(first) - moved);
      left -= moved;
      first += runs.get(first) == 0 ? 1 : 0;
    }
  }

  /** Adds tokens behind those there are. */
  void add(boolean counted, int tokens) {
    if (tokens == 0) {
      return;
    }
    if (runs.isEmpty() && !counted) {
      runs.add(0);
    }
    boolean lastCounts = runs.size() % 2 == 1;
    if (runs.isEmpty() || lastCounts != counted) {
      runs.add(tokens);
    } else {
      int last = runs.size() - 1;
      runs.set(last, runs.get(last) + tokens);
    }
  }

  /** Whether all tokens count. */
  boolean all() {
    return runs.size() < 2;
  }

  /** Tokens behind the last one that counts. */
  int uncountedAtEnd() {
    return runs.size() % 2 == 0 && !runs.isEmpty() ? runs.get(runs.size() - 1) : 0;
  }

  /** Of the labels, of which the first is the second token; null if all count. */
  @Nullable List<Integer> labels() {
    TokenRuns labels = new TokenRuns();
    int left = 1;
    for (int run = 0; run < runs.size(); run++) {
      int dropped = Math.min(left, runs.get(run));
      left -= dropped;
      labels.add(run % 2 == 0, runs.get(run) - dropped);
    }
    return labels.all() ? null : List.copyOf(labels.runs);
  }

  /** Labels that count. */
  static int counted(List<Integer> runs) {
    int counted = 0;
    for (int run = 0; run < runs.size(); run += 2) {
      counted += runs.get(run);
    }
    return counted;
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(runs.size());
    for (int run : runs) {
      out.writeInt(run);
    }
  }

  void read(DataInputStream in) throws IOException {
    int count = in.readInt();
    for (int run = 0; run < count; run++) {
      runs.add(in.readInt());
    }
  }
}
