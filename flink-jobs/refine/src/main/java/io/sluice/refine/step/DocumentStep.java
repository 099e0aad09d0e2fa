package io.sluice.refine.step;

import io.sluice.refine.text.Words;

/** Tells something of a document by its text alone: a pure function, on any thread. */
interface DocumentStep {
  /**
   * Adds what the step says of a document.
   *
   * @param words of the text
   */
  void examine(String text, Words words, Examination.Builder found);
}
