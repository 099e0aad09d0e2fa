package io.sluice.jobs.prepare.tokenizer.cut;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Where a text may be cut so that the ids of its parts are those of the whole, by what a file says.
 *
 * <p>A place is before the single space between two plain characters. There, whatever stands
 * around, the normalizer changes nothing over the place, and either the pre-tokenizer splits or no
 * token of a byte-pair vocabulary has another character before the sign for a space, so that
 * nothing is ever merged over it. Where that does not follow from the file, {@link #proven} is
 * false.
 *
 * @param longest text, in chars, that is never cut elsewhere
 * @param proven whether a text may be cut at such places
 * @param withoutSpace whether what follows goes on behind the space, since the file puts its sign
 *     before every text
 */
public record TextCuts(int longest, boolean proven, boolean withoutSpace) {
  /** As every file's texts were cut once: before a word, wherever that is. */
  public static final TextCuts VERSION_1 = new TextCuts(1 << 18, false, false);

  /** Longest text, in chars, that is cut at proven places alone. */
  public static final int WHOLE = 1 << 20;

  private static final int SEGMENT = 1 << 16;
  private static final TextCuts NONE = new TextCuts(WHOLE, false, false);

  /**
   * What follows from a file.
   *
   * @param root of a {@code tokenizer.json}
   */
  public static TextCuts of(JsonNode root) {
    NormalizedSpace normalized = NormalizedSpace.of(root.path("normalizer"));
    if (!normalized.proven() || !areApart(root.path("added_tokens"), normalized)) {
      return NONE;
    }
    SplitsAtSpace pieces = SplitsAtSpace.of(root.path("pre_tokenizer"), normalized);
    JsonNode model = root.path("model");
    boolean proven =
        switch (pieces.verdict()) {
          case SPLITS -> true;
          case LOCAL -> mergesNothingOver(pieces.space(), model);
          case UNKNOWN -> false;
        };
    return new TextCuts(WHOLE, proven, proven && normalized.prepended());
  }

  /**
   * The same, unless the tokenizer itself shows that the places are none: what a normalizer's table
   * does to plain characters is not read.
   *
   * @param ids of a text
   */
  public TextCuts tried(Function<String, long[]> ids) {
    String all = String.join(" ", PlainCharacters.ALL);
    LongStream.Builder parts = LongStream.builder();
    for (int at = 0; proven && at < all.length(); at += 2) {
      int from = at > 0 && !withoutSpace ? at - 1 : at;
      LongStream.of(ids.apply(all.substring(from, at + 1))).forEach(parts::add);
    }
    return !proven || Arrays.equals(parts.build().toArray(), ids.apply(all)) ? this : NONE;
  }

  /** End of the part that starts at {@code from}. */
  public int end(String text, int from) {
    if (text.length() - from <= SEGMENT) {
      return text.length();
    }
    if (proven) {
      for (int cut = from + SEGMENT; cut > from; cut--) {
        if (isPlace(text, cut)) {
          return cut;
        }
      }
      int last = Math.min(text.length(), from + longest);
      for (int cut = from + SEGMENT + 1; cut < last; cut++) {
        if (isPlace(text, cut)) {
          return cut;
        }
      }
    }
    return TextSegments.end(text, from, longest);
  }

  /** The first proven place behind {@code from}; the end of the text where there is none. */
  public int place(String text, int from) {
    for (int at = text.indexOf(' ', from + 1); proven && at > 0; at = text.indexOf(' ', at + 1)) {
      if (isPlace(text, at)) {
        return at;
      }
    }
    return text.length();
  }

  /** Start of the part that follows one that ends there. */
  public int next(String text, int end) {
    return withoutSpace && end < text.length() && isPlace(text, end) ? end + 1 : end;
  }

  private static boolean isPlace(String text, int at) {
    return text.charAt(at) == ' '
        && at > 0
        && PlainCharacters.is(text.charAt(at - 1))
        && at + 1 < text.length()
        && PlainCharacters.is(text.charAt(at + 1));
  }

  /** Whether no ordinary added token lies over a place or takes what is beside it. */
  private static boolean areApart(JsonNode tokens, NormalizedSpace normalized) {
    for (JsonNode token : tokens) {
      String content = token.path("content").asText();
      boolean takesMore =
          token.path("lstrip").asBoolean()
              || token.path("rstrip").asBoolean()
              || token.path("single_word").asBoolean();
      boolean startsText =
          normalized.prepended() && !content.isEmpty() && PlainCharacters.is(content.charAt(0));
      if (!token.path("special").asBoolean()
          && (takesMore
              || startsText
              || hasWithin(content, ' ')
              || hasWithin(content, normalized.space()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean mergesNothingOver(char space, JsonNode model) {
    JsonNode vocabulary = model.path("vocab");
    if (!model.path("type").asText().equals("BPE")
        || !model.path("end_of_word_suffix").asText("").isEmpty()
        || !model.path("continuing_subword_prefix").asText("").isEmpty()
        || model.path("ignore_merges").asBoolean()
        || !vocabulary.has(String.valueOf(space))) {
      return false;
    }
    for (var names = vocabulary.fieldNames(); names.hasNext(); ) {
      if (hasWithin(names.next(), space)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the sign stands behind another character. */
  private static boolean hasWithin(String name, char sign) {
    for (int i = name.indexOf(sign, 1); i > 0; i = name.indexOf(sign, i + 1)) {
      if (name.charAt(i - 1) != sign) {
        return true;
      }
    }
    return false;
  }
}
