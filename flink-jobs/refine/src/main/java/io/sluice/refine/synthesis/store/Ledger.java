package io.sluice.refine.synthesis.store;

import io.sluice.refine.synthesis.RequestKey;
import java.util.HashMap;
import java.util.Map;

/** Tokens by what was reserved and settled; a reservation that nobody settled was spent. */
public final class Ledger {
  private final Map<RequestKey, Long> open = new HashMap<>();
  private long spent;

  /** Counts a line. */
  public void note(AnswerLine line) {
    // Of a request that is asked again, an open reservation is one whose writer died.
    spent +=
        line instanceof AnswerLine.Reserved ? open.getOrDefault(line.key(), 0L) : line.tokens();
    if (line instanceof AnswerLine.Reserved) {
      open.put(line.key(), line.tokens());
    } else {
      open.remove(line.key());
    }
  }

  /** Tokens so far, with those that are reserved. */
  public long spent() {
    return spent + reserved();
  }

  /** Tokens of requests that nobody has settled: they are under way, or whoever asked them died. */
  public long reserved() {
    return open.values().stream().mapToLong(Long::longValue).sum();
  }
}
