package io.sluice.refine.synthesis;

import io.sluice.control.error.BadInputException;
import io.sluice.control.line.Utf8;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A prompt with places for values, {@code {{document}}} among them. Lines at the beginning of its
 * file that begin with {@code #:} are remarks, such as where it is from, and are not asked.
 *
 * @param name a short one, for who reads what was made of it
 * @param text without remarks
 */
public record Template(String name, String text) {
  /** The place of the seed document, which every template has. */
  public static final String DOCUMENT = "document";

  /** The names of the templates that are there without a file. */
  public static final List<String> BUILT_IN = List.of("science", "code");

  /** The disciplines of Llama-3-SynE section 4.2.1, as {@code science} may be given them. */
  public static final List<String> DISCIPLINES =
      List.of(
          "mathematics",
          "physics",
          "chemistry",
          "biology",
          "astronomy",
          "earth science",
          "medical science",
          "computer science",
          "general education");

  private static final int LARGEST = 64 << 10;
  private static final String REMARK = "#:";
  private static final Pattern PLACE = Pattern.compile("\\{\\{([^{}\\n]{0,40})\\}\\}");
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** Checks that there is a place for the document, and that all places have names. */
  public Template {
    Set<String> places = places(text);
    for (String place : places) {
      if (!NAME.matcher(place).matches()) {
        throw new BadInputException(
            "a place of a template must be named by lower-case letters, digits and '-': {{"
                + place
                + "}} in "
                + name);
      }
    }
    if (!places.contains(DOCUMENT)) {
      throw new BadInputException("a template must have a place {{document}}: " + name);
    }
  }

  /**
   * One of {@link #BUILT_IN}, or that of a file.
   *
   * @throws BadInputException if it is neither, or no template
   */
  public static Template of(String nameOrFile) {
    return BUILT_IN.contains(nameOrFile) ? builtIn(nameOrFile) : read(Path.of(nameOrFile));
  }

  /** The places that values are needed for, beside the document's; sorted. */
  public Set<String> values() {
    Set<String> places = places(text);
    places.remove(DOCUMENT);
    return places;
  }

  /**
   * The prompt. Values are taken as they are: a place in one of them is none.
   *
   * @throws BadInputException if a value is missing
   */
  public String prompt(String document, Map<String, String> values) {
    return PLACE
        .matcher(text)
        .replaceAll(
            place ->
                Matcher.quoteReplacement(
                    place.group(1).equals(DOCUMENT) ? document : value(place, values)));
  }

  /** The document that a prompt of this template was made of; the prompt, if it was not. */
  public String documentOf(String prompt, Map<String, String> values) {
    String open = "\0";
    String frame = prompt(open, values);
    String head = frame.substring(0, frame.indexOf(open));
    String tail = frame.substring(frame.lastIndexOf(open) + 1);
    boolean once = frame.indexOf(open) == frame.lastIndexOf(open);
    boolean framed =
        once
            && prompt.length() >= head.length() + tail.length()
            && prompt.startsWith(head)
            && prompt.endsWith(tail);
    return framed ? prompt.substring(head.length(), prompt.length() - tail.length()) : prompt;
  }

  /** What is asked whatever the document is. */
  public String instructions() {
    return PLACE.matcher(text).replaceAll(" ");
  }

  /** SHA-256 of the text, 64 hexadecimal digits. */
  public String hash() {
    return RequestKey.of(List.of(text)).hex();
  }

  private String value(MatchResult place, Map<String, String> values) {
    String value = values.get(place.group(1));
    if (value == null) {
      throw new BadInputException(
          "template " + name + " needs a value for {{" + place.group(1) + "}}");
    }
    return value;
  }

  private static Set<String> places(String text) {
    Set<String> places = new TreeSet<>();
    PLACE.matcher(text).results().forEach(place -> places.add(place.group(1)));
    return places;
  }

  private static Template builtIn(String name) {
    try (InputStream in = Template.class.getResourceAsStream(name + ".txt")) {
      if (in == null) {
        throw new IllegalStateException("no template " + name);
      }
      return parsed(name, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Template read(Path file) {
    String said = "--template must be " + String.join(", ", BUILT_IN) + " or a file of UTF-8";
    if (!Files.isRegularFile(file)) {
      throw new BadInputException(said + ": there is no " + file);
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST + 1);
      if (bytes.length > LARGEST) {
        throw new BadInputException(said + " of at most " + LARGEST + " bytes: " + file);
      }
      String name = String.valueOf(file.getFileName());
      return parsed(name.replaceFirst("\\.[a-z]+$", ""), bytes);
    } catch (CharacterCodingException e) {
      throw new BadInputException(said + ": " + file, e);
    } catch (IOException e) {
      throw new BadInputException("--template cannot be read: " + file + ": " + e, e);
    }
  }

  private static Template parsed(String name, byte[] bytes) throws CharacterCodingException {
    String text = Utf8.decode(bytes).replace("\r\n", "\n");
    int at = 0;
    while (text.startsWith(REMARK, at)) {
      int end = text.indexOf('\n', at);
      at = end < 0 ? text.length() : end + 1;
    }
    return new Template(name, text.substring(at).strip());
  }
}
