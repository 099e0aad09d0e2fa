package io.sluice.lab.reproduce.corpus;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a file of a package becomes text. */
enum TextForm {
  /** It is text. */
  @JsonProperty("plain")
  PLAIN {
    @Override
    String text(String file) {
      return file;
    }
  },
  /** A manual page: without comments, requests and changes of the font. */
  @JsonProperty("roff")
  ROFF {
    @Override
    String text(String file) {
      return file.lines()
          .filter(line -> !COMMENT.matcher(line).lookingAt())
          .map(line -> REQUEST.matcher(line).replaceFirst(""))
          .map(line -> FONT.matcher(line).replaceAll("").replace("\\-", "-").replace("\\&", ""))
          .filter(line -> !line.isBlank())
          .collect(Collectors.joining("\n", "", "\n"));
    }
  },
  /** WordNet's data: the glosses, which are behind a bar. */
  @JsonProperty("gloss")
  GLOSS {
    @Override
    String text(String file) {
      return file.lines()
          .filter(line -> line.contains(" | "))
          .map(line -> line.substring(line.indexOf(" | ") + 3).strip())
          .collect(Collectors.joining("\n", "", "\n"));
    }
  },
  /** WordNet's data: the first word of each line, a colon, and the gloss. */
  @JsonProperty("entry")
  ENTRY {
    @Override
    String text(String file) {
      return file.lines()
          .map(SYNSET::matcher)
          .filter(Matcher::matches)
          .map(synset -> synset.group(1).replace('_', ' ') + ": " + synset.group(2))
          .collect(Collectors.joining("\n", "", "\n"));
    }
  };

  private static final Pattern COMMENT = Pattern.compile("['.]\\\\[\"#]|\\.\\s*\\\\\"");
  private static final Pattern REQUEST = Pattern.compile("^['.]\\s*[A-Za-z]{1,3}\\b\\s*");
  private static final Pattern FONT = Pattern.compile("\\\\f(\\[\\w*\\]|\\w)");

  /**
   * Offset, number of the lexicographer's file, part of speech, number of words; the first word.
   */
  private static final Pattern SYNSET =
      Pattern.compile("\\d{8} \\d\\d \\w \\w\\w (\\S+) .*? \\| (.*\\S)\\s*");

  /** The text of a file's content. */
  abstract String text(String file);
}
