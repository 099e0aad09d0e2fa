package io.sluice.refine.synthesis;

import io.sluice.refine.text.Words;

/**
 * A document that questions and answers are made of.
 *
 * @param id unique among the seeds, not empty
 * @param text as it was read
 */
public record Seed(String id, String text) {
  /** Checks the id. */
  public Seed {
    if (id.isEmpty()) {
      throw new IllegalArgumentException("a seed's id must not be empty");
    }
  }

  /**
   * The content snippet of Llama-3-SynE section 4.2.1: the text if it is short enough, else a run
   * of it that begins with a line, where the seed and the id say.
   *
   * @param most UTF-16 units of it, at least 1
   */
  public String snippet(int most, long seed) {
    if (text.length() <= most) {
      return text;
    }
    long place = Words.mixed(Words.of(id).gram(0, Words.of(id).size()) ^ Words.mixed(seed));
    int start = (int) Long.remainderUnsigned(place, text.length() - most + 1L);
    int line = text.lastIndexOf('\n', start) + 1;
    start = start - line < most ? line : start;
    int end = start + most;
    int broken = text.lastIndexOf('\n', end);
    end = end < text.length() && broken > start + most / 2 ? broken : end;
    return text.substring(whole(start), whole(end));
  }

  /** A place that parts no surrogate pair. */
  private int whole(int at) {
    boolean within =
        at > 0
            && at < text.length()
            && Character.isLowSurrogate(text.charAt(at))
            && Character.isHighSurrogate(text.charAt(at - 1));
    return within ? at - 1 : at;
  }
}
