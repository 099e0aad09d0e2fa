package io.sluice.jobs.prepare.tokenizer;

import io.sluice.jobs.prepare.tokenizer.cut.TextCuts;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks a tokenizer for the words that come often once, and remembers their tokens. A word goes from
 * one place to the next at which the file lets a text be cut, so its tokens are the same wherever
 * it stands, and it makes no difference what is remembered. What lies between remembered words is
 * asked for in one piece.
 *
 * <p>A word is remembered when it comes again, until another one takes its slot: some 8 MB at most.
 * Many threads may use it at once.
 */
final class RememberedWords {
  /** Longest word, in chars, that is remembered. */
  static final int LONGEST = 32;

  private static final int SLOTS = 1 << 16;

  private final TextCuts cuts;
  private final int tokenWidth;
  private final Function<String, byte[]> tokenizer;
  private final AtomicReferenceArray<@Nullable Word> words = new AtomicReferenceArray<>(SLOTS);

  /** Hashes of the words that came last. */
  private final AtomicIntegerArray seen = new AtomicIntegerArray(SLOTS);

  private record Word(String text, byte[] tokens) {
    boolean is(String other, int from, int end) {
      return text.length() == end - from && other.startsWith(text, from);
    }
  }

  /**
   * Remembers nothing yet.
   *
   * @param cuts that are proven
   * @param tokenWidth bytes of a token
   * @param tokenizer gives a text's tokens
   */
  RememberedWords(TextCuts cuts, int tokenWidth, Function<String, byte[]> tokenizer) {
    this.cuts = cuts;
    this.tokenWidth = tokenWidth;
    this.tokenizer = tokenizer;
  }

  /** The text's tokens: those that the tokenizer gives for all of it. */
  byte[] encode(String text) {
    TokenWriter tokens = new TokenWriter(tokenWidth, text.length() / 3);
    int unknown = 0;
    int unknownEnd = 0;
    for (int from = 0; from < text.length(); ) {
      int end = cuts.place(text, from);
      byte[] word = end - from <= LONGEST ? word(text, from, end) : null;
      int next = cuts.next(text, end);
      if (word == null) {
        unknownEnd = end;
      } else {
        addUnknown(tokens, text, unknown, unknownEnd);
        tokens.add(word);
        unknown = next;
        unknownEnd = next;
      }
      from = next;
    }
    addUnknown(tokens, text, unknown, unknownEnd);
    return tokens.toBytes();
  }

  private void addUnknown(TokenWriter tokens, String text, int from, int end) {
    if (from < end) {
      tokens.add(tokenizer.apply(text.substring(from, end)));
    }
  }

  /** A word's tokens, if it is remembered or comes again. */
  private byte @Nullable [] word(String text, int from, int end) {
    int hash = 1;
    for (int i = from; i < end; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    Word word = words.getAcquire(slot);
    if (word != null && word.is(text, from, end)) {
      return word.tokens();
    }
    if (seen.getPlain(slot) != hash) {
      seen.setPlain(slot, hash);
      return null;
    }
    String again = text.substring(from, end);
    byte[] tokens = tokenizer.apply(again);
    words.setRelease(slot, new Word(again, tokens));
    return tokens;
  }
}
