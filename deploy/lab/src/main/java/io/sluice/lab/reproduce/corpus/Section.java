package io.sluice.lab.reproduce.corpus;

import java.util.ArrayList;
import java.util.List;

/**
 * A file of a domain, or a stretch of a long one: what is in training, in a target or in a test as
 * a whole.
 *
 * @param name of the file, with the number of the stretch
 */
record Section(String name, String text) {
  private static final int LENGTH = 16_384;

  /** The sections of a file, cut behind ends of lines where there are any. */
  static List<Section> of(String file, String text) {
    List<Section> sections = new ArrayList<>();
    int from = 0;
    while (from < text.length()) {
      int to = Math.min(text.length(), from + LENGTH);
      if (to < text.length()) {
        int line = text.lastIndexOf('\n', to - 1);
        to = line > from ? line + 1 : to;
      }
      sections.add(new Section(file + "#" + sections.size(), text.substring(from, to)));
      from = to;
    }
    return sections;
  }
}
