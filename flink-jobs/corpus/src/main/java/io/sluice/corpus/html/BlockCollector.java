package io.sluice.corpus.html;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.select.NodeFilter;

/** Divides an element's text into blocks, without recursion: pages may be nested as they like. */
final class BlockCollector implements NodeFilter {
  /** What is no text of the page, wherever it stands. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "script",
          "style",
          "noscript",
          "template",
          "iframe",
          "object",
          "svg",
          "math",
          "canvas",
          "audio",
          "video",
          "head",
          "nav",
          "footer",
          "aside",
          "form",
          "button",
          "select",
          "textarea",
          "dialog",
          "menu");

  private static final Set<String> LEFT_OUT_ROLES =
      Set.of("navigation", "banner", "contentinfo", "complementary", "search", "menu", "dialog");

  private static final Set<Character.UnicodeScript> WITHOUT_SPACES =
      EnumSet.of(
          Character.UnicodeScript.HAN,
          Character.UnicodeScript.HIRAGANA,
          Character.UnicodeScript.KATAKANA,
          Character.UnicodeScript.THAI,
          Character.UnicodeScript.LAO,
          Character.UnicodeScript.KHMER,
          Character.UnicodeScript.MYANMAR);

  private final List<TextBlock> blocks = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private int words;
  private int linkedWords;
  private int links;
  private int preformatted;
  private boolean inWord;

  /** The blocks that have text. */
  List<TextBlock> blocks() {
    endBlock();
    return blocks;
  }

  @Override
  public FilterResult head(Node node, int depth) {
    if (node instanceof TextNode part) {
      add(part.getWholeText());
    } else if (node instanceof Element element) {
      if (isLeftOut(element)) {
        return FilterResult.SKIP_ENTIRELY;
      }
      enter(element);
    }
    return FilterResult.CONTINUE;
  }

  @Override
  public FilterResult tail(Node node, int depth) {
    if (node instanceof Element element) {
      String name = element.normalName();
      if (isBound(element)) {
        endBlock();
      }
      links -= name.equals("a") ? 1 : 0;
      preformatted -= name.equals("pre") ? 1 : 0;
    }
    return FilterResult.CONTINUE;
  }

  private void enter(Element element) {
    String name = element.normalName();
    if (name.equals("br")) {
      text.append('\n');
      inWord = false;
    } else if (isBound(element)) {
      endBlock();
    }
    links += name.equals("a") ? 1 : 0;
    preformatted += name.equals("pre") ? 1 : 0;
  }

  /** Whether blocks end where the element begins and ends; a line break only ends a line. */
  private static boolean isBound(Element element) {
    String name = element.normalName();
    return name.equals("td") || name.equals("th") || (element.isBlock() && !name.equals("br"));
  }

  private static boolean isLeftOut(Element element) {
    return LEFT_OUT.contains(element.normalName())
        || LEFT_OUT_ROLES.contains(element.attr("role"))
        || element.hasAttr("hidden")
        || element.attr("aria-hidden").equals("true");
  }

  private void add(String part) {
    for (int at = 0; at < part.length(); ) {
      int character = part.codePointAt(at);
      at += Character.charCount(character);
      if (Character.isWhitespace(character) || character == '\u00A0') {
        inWord = false;
        addSpace(character);
        continue;
      }
      boolean alone = WITHOUT_SPACES.contains(Character.UnicodeScript.of(character));
      if (alone || !inWord) {
        words++;
        linkedWords += links > 0 ? 1 : 0;
      }
      inWord = !alone;
      text.appendCodePoint(character);
    }
  }

  private void addSpace(int character) {
    int last = text.length() - 1;
    if (preformatted > 0) {
      text.appendCodePoint(character);
    } else if (last >= 0 && !Character.isWhitespace(text.charAt(last))) {
      text.append(' ');
    }
  }

  private void endBlock() {
    if (words > 0) {
      String whole = text.toString();
      blocks.add(
          new TextBlock(
              preformatted > 0 ? whole.stripTrailing() : whole.strip(), words, linkedWords));
    }
    text.setLength(0);
    words = 0;
    linkedWords = 0;
    inWord = false;
  }
}
