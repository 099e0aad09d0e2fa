package io.sluice.lab.reproduce.claim;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.error.BadInputException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a list of claims from YAML. */
final class ClaimsFile {
  static final int MOST_CLAIMS = 500;
  static final int LONGEST_TEXT = 400;

  private static final double MOST = 1e12;
  private static final double MOST_RATIO = 1e6;

  private ClaimsFile() {}

  static List<Claim> read(String source, String text) {
    ConfigSection root = ConfigFile.parse(source, text);
    List<ConfigSection> sections = root.sections("claims");
    root.requireNoOther();
    if (sections.size() > MOST_CLAIMS) {
      throw root.invalid("claims", "at most " + MOST_CLAIMS + " claims", sections.size() + "");
    }
    List<Claim> claims = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (ConfigSection section : sections) {
      Claim claim = claim(section);
      if (!ids.add(claim.id())) {
        throw section.invalid("id", "that of one claim alone", claim.id());
      }
      claims.add(claim);
    }
    return claims;
  }

  private static Claim claim(ConfigSection in) {
    String paper = in.oneOf("paper", "", Paper.keys());
    String direction = in.oneOf("direction", "", Direction.keys());
    Comparison comparison = comparison(in);
    double least = in.number("least-effect", 0, MOST);
    if (least == 0) {
      throw in.invalid("least-effect", "above 0", "0");
    }
    if (comparison instanceof Comparison.Ratio
        && Direction.find(direction).orElseThrow().isMarginal()) {
      throw in.invalid("direction", "lower or higher, with a ratio", direction);
    }
    Claim claim =
        new Claim(
            name(in, "id"),
            Paper.find(paper).orElseThrow(),
            sentence(in, "where"),
            sentence(in, "says"),
            name(in, "experiment"),
            name(in, "of"),
            name(in, "measure"),
            Direction.find(direction).orElseThrow(),
            comparison,
            least);
    if (comparison.other().filter(claim.of()::equals).isPresent()) {
      throw in.invalid("against", "another arm than '" + claim.of() + "'", claim.of());
    }
    in.requireNoOther();
    return claim;
  }

  private static Comparison comparison(ConfigSection in) {
    if (in.has("threshold")) {
      for (String other : List.of("against", "ratio")) {
        if (in.has(other)) {
          throw in.invalid(other, "left out where there is a threshold", in.text(other));
        }
      }
      return new Comparison.Threshold(in.number("threshold", -MOST, MOST));
    }
    String arm = name(in, "against");
    if (!in.has("ratio")) {
      return new Comparison.Against(arm);
    }
    double ratio = in.number("ratio", 1, MOST_RATIO);
    if (ratio == 1) {
      throw in.invalid("ratio", "above 1", "1");
    }
    return new Comparison.Ratio(arm, ratio);
  }

  private static String name(ConfigSection in, String key) {
    String name = in.text(key);
    if (!Results.isName(name)) {
      throw in.invalid(key, Results.NAME_FORM, name);
    }
    return name;
  }

  /**
   * A text of one line.
   *
   * @throws BadInputException if it is longer than {@link #LONGEST_TEXT}, or of several lines
   */
  private static String sentence(ConfigSection in, String key) {
    String text = in.text(key).strip();
    if (text.length() > LONGEST_TEXT || text.chars().anyMatch(Character::isISOControl)) {
      throw in.invalid(
          key, "one line of at most " + LONGEST_TEXT + " characters", text.length() + " of them");
    }
    return text;
  }
}
