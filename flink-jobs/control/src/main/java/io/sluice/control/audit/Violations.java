package io.sluice.control.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Sentences about what does not hold; after the first hundred only their number is kept. Apart from
 * them, what could not be checked.
 */
final class Violations {
  private static final int MOST = 100;

  private final List<String> sentences = new ArrayList<>();
  private final List<String> unchecked = new ArrayList<>();
  private long more;

  void add(String invariant, String format, @Nullable Object... arguments) {
    if (sentences.size() < MOST) {
      sentences.add(invariant + ": " + String.format(Locale.ROOT, format, arguments));
    } else {
      more++;
    }
  }

  void leaveUnchecked(String what, String reason) {
    if (unchecked.size() < MOST) {
      unchecked.add(what + " is not checked: " + reason);
    }
  }

  List<String> unchecked() {
    return List.copyOf(unchecked);
  }

  List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (more > 0) {
      all.add("and " + more + " more");
    }
    return all;
  }
}
