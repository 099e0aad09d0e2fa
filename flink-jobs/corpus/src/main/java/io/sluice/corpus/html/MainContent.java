package io.sluice.corpus.html;

import io.sluice.control.line.RefusedException;
import io.sluice.control.line.Utf8;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/**
 * The main content of a page as plain text, a blank line between its blocks. Where the page says
 * what its content is, by one {@code main} or {@code article}, that is taken whole; otherwise
 * blocks are judged by their words and links, see {@link TextBlock#isContent}. Navigation, forms,
 * scripts and what is hidden are left out in both.
 */
public final class MainContent {
  /** How far a page says its charset. */
  private static final int CHARSET_WITHIN = 2048;

  private static final Pattern CHARSET =
      Pattern.compile("<meta[^>]{0,200}?charset\\s*=\\s*[\"']?\\s*([A-Za-z0-9._:-]{1,40})");

  private MainContent() {}

  /**
   * The main content of a page; blank if it has none.
   *
   * @param page in UTF-8, or in the charset that it names
   * @throws RefusedException if it is in neither
   */
  public static String of(byte[] page) throws RefusedException {
    Document document = Jsoup.parse(decoded(page));
    Elements marked = document.select("main, [role=main]");
    if (marked.size() != 1) {
      marked = document.select("article");
    }
    boolean known = marked.size() == 1;
    Element root = known ? marked.first() : document.body();
    BlockCollector collector = new BlockCollector();
    if (root != null) {
      root.filter(collector);
    }
    return text(collector.blocks(), known);
  }

  private static String text(List<TextBlock> blocks, boolean all) {
    StringJoiner text = new StringJoiner("\n\n");
    for (int each = 0; each < blocks.size(); each++) {
      TextBlock previous = each == 0 ? TextBlock.NONE : blocks.get(each - 1);
      TextBlock next = each == blocks.size() - 1 ? TextBlock.NONE : blocks.get(each + 1);
      if (all || blocks.get(each).isContent(previous, next)) {
        text.add(blocks.get(each).text());
      }
    }
    return text.toString();
  }

  private static String decoded(byte[] page) throws RefusedException {
    try {
      return Utf8.decode(page);
    } catch (CharacterCodingException e) {
      // Older pages name another charset.
    }
    Charset charset = named(page);
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(page)).toString();
    } catch (CharacterCodingException e) {
      throw new RefusedException("neither UTF-8 nor " + charset.name() + ", which it names");
    }
  }

  private static Charset named(byte[] page) throws RefusedException {
    int length = Math.min(page.length, CHARSET_WITHIN);
    String start = new String(page, 0, length, StandardCharsets.ISO_8859_1);
    Matcher found = CHARSET.matcher(start.toLowerCase(Locale.ROOT));
    if (!found.find()) {
      throw new RefusedException(
          "not UTF-8 at byte " + Utf8.firstError(page).orElse(0) + ", and no charset is named");
    }
    try {
      return Charset.forName(found.group(1));
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw new RefusedException("not UTF-8, and its charset is not known: " + found.group(1));
    }
  }
}
