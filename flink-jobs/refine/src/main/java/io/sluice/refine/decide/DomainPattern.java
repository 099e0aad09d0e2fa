package io.sluice.refine.decide;

import io.sluice.control.error.BadInputException;
import io.sluice.schema.Topics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How the domain is called that a document goes to: a text with places in braces. Immutable. */
public final class DomainPattern {
  /** The place of the domain that a document comes from. */
  public static final String INPUT = "input";

  /** Domains that a pattern may come to. */
  public static final int MOST_DOMAINS = 4_096;

  private static final Pattern PLACE = Pattern.compile("\\{([a-z]+)}");

  private final String pattern;

  /**
   * A pattern as a person writes it.
   *
   * @throws BadInputException if a brace is alone
   */
  public DomainPattern(String pattern) {
    this.pattern = pattern;
    String rest = PLACE.matcher(pattern).replaceAll("");
    if (rest.contains("{") || rest.contains("}")) {
      throw new BadInputException(
          "domains must have each place between { and }, in small letters: found '"
              + pattern
              + "'");
    }
  }

  /** Names of the places, in their order. */
  public Set<String> places() {
    Set<String> places = new LinkedHashSet<>();
    Matcher matcher = PLACE.matcher(pattern);
    while (matcher.find()) {
      places.add(matcher.group(1));
    }
    return places;
  }

  /** The name where each place has a value. */
  public String name(Function<String, String> values) {
    return PLACE
        .matcher(pattern)
        .replaceAll(place -> Matcher.quoteReplacement(values.apply(place.group(1))));
  }

  /**
   * Every name that the pattern can come to, sorted by the values of its places in turn.
   *
   * @param values of each place
   * @throws BadInputException if there are too many, or one is no name of a domain
   */
  public List<String> names(Map<String, List<String>> values) {
    List<Map<String, String>> chosen = List.of(Map.of());
    for (String place : places()) {
      List<String> here = values.getOrDefault(place, List.of());
      if ((long) chosen.size() * here.size() > MOST_DOMAINS) {
        throw new BadInputException(
            "domains must come to at most " + MOST_DOMAINS + " names: '" + pattern + "' has more");
      }
      List<Map<String, String>> more = new ArrayList<>();
      for (Map<String, String> before : chosen) {
        for (String value : here) {
          Map<String, String> with = new HashMap<>(before);
          with.put(place, value);
          more.add(with);
        }
      }
      chosen = more;
    }
    Set<String> names = new LinkedHashSet<>();
    for (Map<String, String> each : chosen) {
      names.add(required(name(place -> each.getOrDefault(place, ""))));
    }
    return List.copyOf(names);
  }

  private String required(String name) {
    try {
      return Topics.requireName("domain", name);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("domains: '" + pattern + "': " + e.getMessage(), e);
    }
  }
}
