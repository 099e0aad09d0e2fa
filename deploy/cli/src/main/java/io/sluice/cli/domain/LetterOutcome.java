package io.sluice.cli.domain;

import io.sluice.control.domain.DeadLetterLog;
import java.util.Locale;

/**
 * What came of a dead letter that was to be retried.
 *
 * @param number its offset in the topic
 * @param what came of it
 * @param place of the record
 * @param why it was not taken; '' if it was
 */
record LetterOutcome(long number, Kind what, String place, String why) {
  /** What may come of it. */
  enum Kind {
    /** All that it is of is in the corpus now. */
    TAKEN,

    /** It would be read again, were this no trial. */
    READ_AGAIN,

    /** All that it is of was there already. */
    THERE,

    /** It was read again and refused again, or could not be read. */
    REFUSED,

    /** Nothing can be done for it here. */
    LEFT;

    /** For people. */
    String said() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  static LetterOutcome of(RefusedLetter letter, Kind what, String why) {
    return new LetterOutcome(letter.number(), what, letter.place(), why);
  }

  /** One that is not retried. */
  static LetterOutcome left(DeadLetterLog.Entry entry, String why) {
    return new LetterOutcome(entry.number(), Kind.LEFT, ListDeadLetters.place(entry.letter()), why);
  }

  /** Whether the letter is done with. */
  boolean isDone() {
    return what == Kind.TAKEN || what == Kind.THERE;
  }
}
