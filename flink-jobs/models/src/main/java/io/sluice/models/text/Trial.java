package io.sluice.models.text;

import io.sluice.control.error.BadInputException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * Tries a model before anybody depends on it: with a short text and with one of as many tokens as
 * it may get, twice each.
 *
 * @param file that messages name
 * @param tokens that a text may have, at least
 */
record Trial(Path file, int tokens) {
  /** A sentence of more than one token. */
  static final String TEXT = "A stream of 3 documents, mixed by their weights.\n";

  /**
   * Asks for each text twice.
   *
   * @param asked what the model says of a text, which can be compared
   * @throws BadInputException if it cannot take one, or says different things of the same text
   */
  void of(Function<String, Object> asked) {
    for (String text : List.of(TEXT, TEXT.repeat(tokens))) {
      Object first = answer(asked, text);
      if (!first.equals(answer(asked, text))) {
        throw new BadInputException(message("it must say the same of the same text, and did not"));
      }
    }
  }

  /** What is said of a text. */
  <T> T answer(Function<String, T> asked, String text) {
    try {
      return asked.apply(text);
    } catch (BadInputException e) {
      throw new BadInputException(message(String.valueOf(e.getMessage())), e);
    }
  }

  private String message(String why) {
    return "the model in " + file + " cannot be used: " + why;
  }
}
