package io.sluice.lab.reproduce.report;

import io.sluice.lab.reproduce.claim.Course;
import io.sluice.lab.reproduce.claim.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The courses of an arm over its seeds. */
final class Courses {
  private Courses() {}

  /** Each course by its name, with about so many steps at most. */
  static SortedMap<String, CourseSummary> of(Collection<Outcome> seeds, int most) {
    SortedMap<String, List<Course>> byName = new TreeMap<>();
    for (Outcome outcome : seeds) {
      if (outcome instanceof Outcome.Finished finished) {
        finished
            .courses()
            .forEach(
                (name, course) ->
                    byName.computeIfAbsent(name, each -> new ArrayList<>()).add(course));
      }
    }
    SortedMap<String, CourseSummary> summaries = new TreeMap<>();
    byName.forEach((name, courses) -> summaries.put(name, CourseSummary.of(courses).thinned(most)));
    return summaries;
  }
}
