package io.sluice.corpus.html;

/**
 * Text of a page between two bounds of blocks.
 *
 * @param words of it; a character of a script without spaces counts as one
 * @param linkedWords of these, those in links
 */
record TextBlock(String text, int words, int linkedWords) {
  /** What stands before the first block and behind the last. */
  static final TextBlock NONE = new TextBlock("", 0, 0);

  /** The share of words that are in links. */
  double linkDensity() {
    return words == 0 ? 0 : (double) linkedWords / words;
  }

  /**
   * Whether this is content, by its neighbours: the classifier by numbers of words of Kohlschütter,
   * Fankhauser and Nejdl, "Boilerplate Detection using Shallow Text Features", WSDM 2010, algorithm
   * 2.
   */
  boolean isContent(TextBlock previous, TextBlock next) {
    if (linkDensity() > 1.0 / 3) {
      return false;
    }
    if (previous.linkDensity() <= 5.0 / 9) {
      return words > 16 || next.words > 15 || previous.words > 4;
    }
    return words > 40 || next.words > 17;
  }
}
