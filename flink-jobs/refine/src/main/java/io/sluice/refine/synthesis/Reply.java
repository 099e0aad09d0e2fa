package io.sluice.refine.synthesis;

import java.time.Duration;
import java.util.Optional;

/** What came of asking an endpoint once. */
public sealed interface Reply {
  /** A reply that stays as it is: nobody asks again. */
  sealed interface Settled extends Reply {}

  /**
   * The model's answer.
   *
   * @param text as the model wrote it
   * @param cut whether it was longer than it might be
   * @param tokens of prompt and answer as the endpoint counts them; empty if it does not say
   */
  record Answered(String text, boolean cut, Optional<Long> tokens) implements Settled {
    /** Most tokens that an endpoint is believed to have counted. */
    private static final long BELIEVED = Integer.MAX_VALUE;

    /** Takes no count of tokens that cannot be one. */
    public Answered {
      tokens = tokens.filter(count -> count >= 0 && count <= BELIEVED);
    }
  }

  /**
   * The endpoint does not answer this request, now or later.
   *
   * @param reason in its words, shortened
   */
  record Refused(String reason) implements Settled {}

  /**
   * No answer, for a reason that may pass.
   *
   * @param reason for people
   * @param after how long the endpoint wants to be left alone; empty if it does not say
   * @param free whether the endpoint has certainly not worked for it
   */
  record Failed(String reason, Optional<Duration> after, boolean free) implements Reply {
    /** Longest time that an endpoint is left alone because it wants so. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    /** Whether the endpoint wants to be left alone for longer than anybody waits. */
    boolean wantsLong() {
      return after.isPresent() && after.get().compareTo(PATIENCE) > 0;
    }
  }
}
