package io.sluice.refine.classify;

import io.sluice.schema.Topics;
import java.util.Locale;

/**
 * What documents may be about.
 *
 * @param name its label, which can be part of a domain's name
 * @param description what a model that labels texts is told, such as 'Law and Policy'
 */
public record Topic(String name, String description) {
  private static final int LONGEST = 200;

  /** A topic whose name is its description in small letters, with hyphens for what is none. */
  public static Topic described(String description) {
    String name = description.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return new Topic(name.replaceAll("^-|-$", ""), description);
  }

  /** Checks both. */
  public Topic {
    Topics.requireName("topic", name);
    if (description.isBlank()
        || description.length() > LONGEST
        || description.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a topic's description must be a line of 1 to "
              + LONGEST
              + " characters: '"
              + description
              + "'");
    }
  }
}
