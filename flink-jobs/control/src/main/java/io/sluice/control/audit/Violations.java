package io.sluice.control.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Sentences about what does not hold; after the first hundred only their number is kept. */
final class Violations {
  private static final int MOST = 100;

  private final List<String> sentences = new ArrayList<>();
  private long more;

  void add(String invariant, String format, @Nullable Object... arguments) {
    if (sentences.size() < MOST) {
      sentences.add(invariant + ": " + String.format(Locale.ROOT, format, arguments));
    } else {
      more++;
    }
  }

  List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (more > 0) {
      all.add("and " + more + " more");
    }
    return all;
  }
}
