package io.sluice.cli.text;

import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Paths that each have a name, as a person gives them: {@code NAME=PATH}. */
public final class NamedPaths {
  private NamedPaths() {}

  /**
   * The paths of each name, in the order in which they were given.
   *
   * @param option for errors
   * @throws BadInputException if something given is not NAME=PATH
   */
  public static SortedMap<String, List<String>> of(String option, List<String> given) {
    SortedMap<String, List<String>> paths = new TreeMap<>();
    for (String each : given) {
      int equals = each.indexOf('=');
      if (equals < 1 || equals == each.length() - 1) {
        throw new BadInputException(option + " must be NAME=PATH: '" + each + "'");
      }
      paths
          .computeIfAbsent(each.substring(0, equals), name -> new ArrayList<>())
          .add(each.substring(equals + 1));
    }
    return paths;
  }
}
