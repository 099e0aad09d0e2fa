package io.sluice.jobs.prepare.tokenizer.cut;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * What can be proven of the regular expression by which a file splits texts, about a place between
 * a plain character and a sign for a space.
 *
 * <p>Each part of the expression is known by what stands at its ends, so whether a plain character
 * may be followed by the sign within a match is decided over all texts. Quantifiers and look-ahead
 * are taken for more than they match, never for less. What is not understood is not proven.
 *
 * @param separates no match has a plain character before the sign, and none depends on what follows
 *     such a character
 * @param covers every sign that nothing else takes is a match
 */
record SplitPattern(boolean separates, boolean covers) {
  private static final SplitPattern UNKNOWN = new SplitPattern(false, false);

  /**
   * What is known of the expression.
   *
   * @param regex in the syntax of Oniguruma
   * @param space the sign for a space
   */
  static SplitPattern of(String regex, char space) {
    try {
      Parser parser = new Parser(regex, space);
      List<Part> alternatives = parser.alternatives();
      return parser.atEnd()
          ? new SplitPattern(true, alternatives.stream().anyMatch(Part::takesSpace))
          : UNKNOWN;
    } catch (UnprovenException | PatternSyntaxException e) {
      return UNKNOWN;
    }
  }

  private static final class UnprovenException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * A part of the expression.
   *
   * @param empty whether it matches nothing, too
   * @param fromSpace whether a match may begin with the sign
   * @param toPlain whether a match may end with a plain character
   * @param takesSpace whether it is one set of characters, the sign among them
   */
  private record Part(boolean empty, boolean fromSpace, boolean toPlain, boolean takesSpace) {
    static final Part NOTHING = new Part(true, false, false, false);

    Part then(Part next) {
      requireApart(this, next);
      return new Part(
          empty && next.empty,
          fromSpace || (empty && next.fromSpace),
          next.toPlain || (next.empty && toPlain),
          this.equals(NOTHING) && next.takesSpace);
    }

    Part repeated() {
      requireApart(this, this);
      return this;
    }

    Part optional() {
      return new Part(true, fromSpace, toPlain, false);
    }

    Part or(Part other) {
      return new Part(
          empty || other.empty, fromSpace || other.fromSpace, toPlain || other.toPlain, false);
    }

    private static void requireApart(Part first, Part second) {
      if (first.toPlain && second.fromSpace) {
        throw new UnprovenException();
      }
    }
  }

  private static final class Parser {
    private static final String NOT_BLANK_AHEAD = "(?!\\S)";
    private static final String REFUSED = "^$.?*+{)";
    private static final String KNOWN_ESCAPES = "sSdDwWrntf";

    private final String regex;
    private final char space;
    private int at;

    Parser(String regex, char space) {
      this.regex = regex;
      this.space = space;
    }

    boolean atEnd() {
      return at == regex.length();
    }

    List<Part> alternatives() {
      List<Part> parts = new ArrayList<>(List.of(sequence()));
      while (accept("|")) {
        parts.add(sequence());
      }
      return parts;
    }

    private Part sequence() {
      Part sequence = Part.NOTHING;
      while (!atEnd() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
        if (accept(NOT_BLANK_AHEAD)) {
          require(!sequence.toPlain && !sequence.empty);
        } else {
          sequence = sequence.then(quantified(atom()));
        }
      }
      return sequence;
    }

    private Part quantified(Part atom) {
      Part part = atom;
      while (!atEnd() && "?*+{".indexOf(regex.charAt(at)) >= 0) {
        char quantifier = regex.charAt(at++);
        if (quantifier == '{') {
          at = indexOf('}') + 1;
        } else if (!accept("+")) { // greedy, possessive or reluctant
          accept("?");
        }
        part = quantifier == '?' ? part : part.repeated();
        part = quantifier == '+' ? part : part.optional();
      }
      return part;
    }

    private Part atom() {
      if (accept("(?:") || accept("(?i:") || (!regex.startsWith("(?", at) && accept("("))) {
        Part group = alternatives().stream().reduce(Part::or).orElseThrow();
        require(accept(")"));
        return group;
      }
      int from = at;
      char c = regex.charAt(at);
      if (c == '[') {
        at = endOfSet();
      } else if (c == '\\') {
        at = endOfEscape();
      } else {
        require(REFUSED.indexOf(c) < 0 && c != '(');
        at += Character.charCount(regex.codePointAt(at));
      }
      return set(regex.substring(from, at));
    }

    private Part set(String expression) {
      Pattern one = Pattern.compile(expression, Pattern.UNICODE_CHARACTER_CLASS);
      boolean hasSpace = one.matcher(String.valueOf(space)).matches();
      boolean hasPlain =
          PlainCharacters.ALL.stream().anyMatch(plain -> one.matcher(plain).matches());
      return new Part(false, hasSpace, hasPlain, hasSpace);
    }

    private int endOfSet() {
      for (int end = at + 1; end < regex.length(); end++) {
        char c = regex.charAt(end);
        if (c == '\\') {
          requireKnownEscape(++end);
        } else if (c == ']' && end > at + 1) {
          return end + 1;
        } else {
          require(c != '[' && c != '&');
        }
      }
      throw new UnprovenException();
    }

    private int endOfEscape() {
      requireKnownEscape(at + 1);
      boolean property = regex.charAt(at + 1) == 'p' || regex.charAt(at + 1) == 'P';
      return property ? indexOf('}') + 1 : at + 2;
    }

    private void requireKnownEscape(int index) {
      require(index < regex.length());
      char c = regex.charAt(index);
      boolean property = (c == 'p' || c == 'P') && regex.startsWith("{", index + 1);
      require(
          property || KNOWN_ESCAPES.indexOf(c) >= 0 || (c < 128 && !Character.isLetterOrDigit(c)));
    }

    private int indexOf(char c) {
      int index = regex.indexOf(c, at);
      require(index >= 0);
      return index;
    }

    private boolean accept(String expected) {
      boolean found = regex.startsWith(expected, at);
      at += found ? expected.length() : 0;
      return found;
    }

    private static void require(boolean condition) {
      if (!condition) {
        throw new UnprovenException();
      }
    }
  }
}
