package io.sluice.lab.manifest;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files that images are made from. */
final class Images {
  static final Path FOLDER = Manifests.DEPLOY.resolve("images");

  private static final Pattern VERSION = Pattern.compile("<version>([^<]+)</version>");
  private static final Pattern PINNED = Pattern.compile("[a-z0-9./-]+:(?!latest$)[A-Za-z0-9._-]+");
  private static final Pattern USER = Pattern.compile("[1-9][0-9]*:[1-9][0-9]*");
  private static final Set<String> KNOWN =
      Set.of("ARG", "FROM", "RUN", "COPY", "ENV", "USER", "ENTRYPOINT");

  private Images() {}

  /** One instruction of such a file. */
  record Instruction(String word, String rest) {}

  /** The release of this checkout. */
  static String version() {
    Matcher version = VERSION.matcher(Manifests.read(Manifests.DEPLOY.resolve("../pom.xml")));
    if (!version.find()) {
      throw new IllegalStateException("no version in pom.xml");
    }
    return version.group(1);
  }

  /** Whether it stays the same image, more or less. */
  static boolean isPinned(String image) {
    return PINNED.matcher(image).matches();
  }

  static String text(String name) {
    return Manifests.read(FOLDER.resolve(name));
  }

  static List<Instruction> parse(String text) {
    List<Instruction> instructions = new ArrayList<>();
    text.replaceAll("(?m)^#.*\\n", "")
        .replaceAll("\\\\\\n\\s*", "")
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> line.split(" ", 2))
        .forEach(words -> instructions.add(new Instruction(words[0], words[1])));
    return instructions;
  }

  /** What follows an instruction's word, of the last such instruction. */
  static Optional<String> last(String text, String word) {
    return parse(text).stream()
        .filter(instruction -> instruction.word().equals(word))
        .map(Instruction::rest)
        .reduce((earlier, later) -> later);
  }

  /** The image that another is made from, unless somebody names one. */
  static String base(String text) {
    return last(text, "ARG").orElse("").replaceFirst("^BASE=", "");
  }

  /** What is wrong with such a file; whose base is one of Sluice's has its user. */
  static List<String> problems(String text) {
    List<String> problems = new ArrayList<>();
    parse(text).stream()
        .map(Instruction::word)
        .filter(word -> !KNOWN.contains(word))
        .forEach(word -> problems.add("no instruction: " + word));
    if (!isPinned(base(text))) {
      problems.add("no release: " + base(text));
    }
    if (!last(text, "FROM").orElse("").equals("${BASE}")) {
      problems.add("not from BASE");
    }
    String user = last(text, "USER").orElse("");
    if (!USER.matcher(user).matches() && !base(text).startsWith("sluice:")) {
      problems.add("no user by number, or root: '" + user + "'");
    }
    return problems;
  }
}
