package io.sluice.serve.course;

/**
 * Something that happened to a run.
 *
 * @param kind such as {@code rewound}
 * @param text for people; may be ''
 */
public record Note(Kind kind, int timeline, long batch, String text) {
  /** What happened. */
  public enum Kind {
    STARTED,
    FORKED,
    ROUND,
    REVISED,
    REWOUND,
    PHASE,
    REFUSED
  }
}
