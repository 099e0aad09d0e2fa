package io.sluice.lab.reproduce.claim;

/** What came of a claim, in the order of reports: what speaks against a paper comes first. */
public enum Verdict {
  /** The difference lies on the other side than claimed. */
  REFUTED("refuted"),
  /** The runs are too few, or too far apart, to say. */
  UNDECIDED("undecided"),
  /** The difference is too small to matter, on whichever side it lies. */
  NO_DIFFERENCE("no difference"),
  /** The difference lies where it is claimed. */
  SHOWN("shown");

  private final String words;

  Verdict(String words) {
    this.words = words;
  }

  /** As people say it. */
  public String words() {
    return words;
  }
}
