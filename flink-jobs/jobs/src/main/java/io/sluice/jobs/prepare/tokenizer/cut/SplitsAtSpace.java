package io.sluice.jobs.prepare.tokenizer.cut;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a file's pre-tokenizer does before a single space between two plain characters.
 *
 * @param space the sign for the space that the model sees
 */
record SplitsAtSpace(Verdict verdict, char space) {
  /** What can be proven. */
  enum Verdict {
    /** It splits there, whatever stands around. */
    SPLITS,
    /** It does not split there, and does on either side what it would without the other. */
    LOCAL,
    /** Neither. */
    UNKNOWN
  }

  private static final String GPT2 =
      "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

  /** Behind the first step that splits there, each of the others sees a piece alone. */
  static SplitsAtSpace of(JsonNode preTokenizer, NormalizedSpace normalized) {
    char space = normalized.space();
    for (JsonNode step : NormalizedSpace.steps(preTokenizer, "pretokenizers")) {
      boolean metaspace = step.path("type").asText().equals("Metaspace");
      if (metaspace && normalized.prepended()) {
        return new SplitsAtSpace(Verdict.UNKNOWN, space);
      }
      Verdict verdict = verdict(step, space);
      if (verdict != Verdict.LOCAL) {
        return new SplitsAtSpace(verdict, space);
      }
      space = metaspace ? step.path("replacement").asText().charAt(0) : space;
    }
    return new SplitsAtSpace(Verdict.LOCAL, space);
  }

  private static Verdict verdict(JsonNode step, char space) {
    return switch (step.path("type").asText()) {
      case "Digits" -> Verdict.LOCAL;
      case "Punctuation" ->
          step.path("behavior").asText("Isolated").startsWith("Merged")
              ? Verdict.UNKNOWN
              : Verdict.LOCAL;
      case "WhitespaceSplit", "BertPreTokenizer", "Whitespace" -> splitsIf(space == ' ');
      case "CharDelimiterSplit" ->
          splitsIf(step.path("delimiter").asText().equals(String.valueOf(space)));
      case "ByteLevel" ->
          // Behind it the model sees signs for bytes.
          step.path("use_regex").asBoolean(true) && SplitPattern.of(GPT2, space).covers()
              ? Verdict.SPLITS
              : Verdict.UNKNOWN;
      case "Metaspace" -> metaspace(step, space);
      case "Split" -> split(step, space);
      default -> Verdict.UNKNOWN;
    };
  }

  private static Verdict splitsIf(boolean splits) {
    return splits ? Verdict.SPLITS : Verdict.LOCAL;
  }

  private static Verdict byRegex(SplitPattern pattern) {
    if (!pattern.separates()) {
      return Verdict.UNKNOWN;
    }
    return splitsIf(pattern.covers());
  }

  private static Verdict metaspace(JsonNode step, char space) {
    String replacement = step.path("replacement").asText();
    boolean replaces = space == ' ' || replacement.equals(String.valueOf(space));
    return replacement.length() == 1 && replaces
        ? splitsIf(step.path("split").asBoolean(true))
        : Verdict.UNKNOWN;
  }

  private static Verdict split(JsonNode step, char space) {
    String behavior = step.path("behavior").asText();
    boolean inverted = step.path("invert").asBoolean();
    String text = step.path("pattern").path("String").asText();
    String regex = step.path("pattern").path("Regex").asText();
    if (!regex.isEmpty()) {
      // What is no match is a piece of its own, or left out.
      return behavior.equals("Isolated") || (behavior.equals("Removed") && inverted)
          ? byRegex(SplitPattern.of(regex, space))
          : Verdict.UNKNOWN;
    }
    if (text.isEmpty() || inverted) {
      return Verdict.UNKNOWN;
    }
    if (text.equals(String.valueOf(space))) {
      return behavior.equals("MergedWithPrevious") ? Verdict.UNKNOWN : Verdict.SPLITS;
    }
    boolean apart = text.chars().noneMatch(c -> c == space || PlainCharacters.is((char) c));
    return apart ? Verdict.LOCAL : Verdict.UNKNOWN;
  }
}
