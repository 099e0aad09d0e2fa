package io.sluice.service.local;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Names of what was deleted whose jobs have not ended, each with what was put back under it since.
 *
 * @param <T> what a job is started for
 */
final class LeavingJobs<T> {
  private final Map<String, Optional<T>> leaving = new LinkedHashMap<>();

  /** The job of that name is to end, at the next {@link #look}. */
  void add(String name) {
    leaving.put(name, Optional.empty());
  }

  /** Whether the job of that name has not ended. */
  boolean has(String name) {
    return leaving.containsKey(name);
  }

  /** Whether something waits until the job of its name has ended, and is then begun. */
  boolean holds(String name, T next) {
    return leaving.computeIfPresent(name, (each, before) -> Optional.of(next)) != null;
  }

  /**
   * Lets go of those that have ended.
   *
   * @param ends asks a job to end, and tells whether it has
   * @param begin is given what was put back
   */
  void look(Predicate<String> ends, Consumer<T> begin) {
    for (String name : List.copyOf(leaving.keySet())) {
      if (ends.test(name)) {
        Optional<T> next = leaving.getOrDefault(name, Optional.empty());
        leaving.remove(name);
        next.ifPresent(begin);
      }
    }
  }
}
