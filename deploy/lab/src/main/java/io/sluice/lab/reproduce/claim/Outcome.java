package io.sluice.lab.reproduce.claim;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** What came of one arm with one seed. */
public sealed interface Outcome {
  /**
   * It ran to its end.
   *
   * @param measures finite values at the end, by name, such as {@code test_loss/mean}
   * @param courses by name, such as {@code weight/DOMAIN} and {@code loss/DOMAIN}
   */
  record Finished(SortedMap<String, Double> measures, SortedMap<String, Course> courses)
      implements Outcome {
    /**
     * Copies the maps.
     *
     * @throws IllegalArgumentException if a name is none, or a value is not finite
     */
    public Finished {
      measures = copy(measures);
      courses = copy(courses);
      measures.forEach(
          (name, value) -> {
            if (!Double.isFinite(value)) {
              throw new IllegalArgumentException("measure '" + name + "' must be finite: " + value);
            }
          });
    }

    private static <T> SortedMap<String, T> copy(Map<String, T> map) {
      map.keySet().forEach(name -> Results.requireName("measure", name));
      return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
  }

  /**
   * It did not come to its end, so that nothing of it counts.
   *
   * @param reason in one line; of a long one the beginning is kept
   */
  record Failed(String reason) implements Outcome {
    private static final int LONGEST = 500;

    /** Cuts a long reason. */
    public Failed {
      reason = reason.length() > LONGEST ? reason.substring(0, LONGEST) + "…" : reason;
    }
  }
}
