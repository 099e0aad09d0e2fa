package io.sluice.corpus.html;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.line.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MainContentTest {
  private static final String PARAGRAPH =
      "A loader takes documents from where they are, puts them into an order that it remembers, and"
          + " hands them on to whoever trains.";

  @Test
  void whatAPageMarksAsItsContentIsTakenWhole() throws RefusedException {
    assertThat(
            of(
                "<title>T</title><nav><a href=x>Home</a></nav><main><h1>On  loaders</h1><p>Short."
                    + "<br>Line &amp; line<ul><li>one<li><a href=y>two</a></ul>"
                    + "<pre>a\n  b</pre><script>no()</script><p hidden>no</main><footer>no</footer>"))
        .isEqualTo("On loaders\n\nShort.\nLine & line\n\none\n\ntwo\n\na\n  b");
  }

  @Test
  void otherwiseBlocksAreJudgedByWordsAndLinks() throws RefusedException {
    assertThat(
            of(
                "<div><a href=a>Home</a> <a href=b>About us</a></div><div>Menu</div><h1>On loaders"
                    + "</h1><p>"
                    + PARAGRAPH
                    + "</p><p>It <a href=x>never</a> forgets that order.</p><div><a href=r>Related:"
                    + " ten things that you will not believe about loaders and their orders</a></div>"
                    + "<div>© 2026</div>"))
        .isEqualTo("On loaders\n\n" + PARAGRAPH + "\n\nIt never forgets that order.");
  }

  @Test
  void scriptsWithoutSpacesHaveWords() throws RefusedException {
    String text = "これは本文であり、十分に長い日本語の文章である。広告ではない内容が続いている。".repeat(2);
    assertThat(of("<div><a href=a>首頁</a></div><p>" + text + "</p>")).isEqualTo(text);
  }

  @Test
  void aPageIsInUtf8OrInTheCharsetThatItNames() throws RefusedException {
    String page = "<html><head><meta charset='ISO-8859-1'></head><main>Grüße</main>";
    assertThat(MainContent.of(page.getBytes(ISO_8859_1))).isEqualTo("Grüße");
    assertThat(MainContent.of(page.getBytes(UTF_8))).isEqualTo("Grüße");
    assertRefused("<main>ü", "not UTF-8 at byte 6, and no charset is named");
    assertRefused("<meta charset=klingon>ü", "not UTF-8, and its charset is not known: klingon");
    assertRefused("<meta charset=us-ascii>ü", "neither UTF-8 nor US-ASCII, which it names");
  }

  @Test
  void aPageMayBeEmptyDeepOrBroken() throws RefusedException {
    assertThat(of("")).isEmpty();
    assertThat(of("<frameset><frame src=a></frameset>")).isEmpty();
    assertThat(of("<div>".repeat(100_000) + PARAGRAPH)).isEqualTo(PARAGRAPH);
    assertThat(of("<b>".repeat(10_000) + "<p>" + PARAGRAPH + "<table><tr><td>x"))
        .contains(PARAGRAPH);
  }

  /** Nothing but a refusal comes of bytes that somebody has damaged. */
  @Test
  void damagedPagesAreTextOrRefused() {
    Random random = new Random(20261124);
    byte[] page =
        ("<!doctype html><meta charset=utf-8><body><div><a href='x'>y</a></div><article><h1>T</h1><p>"
                + PARAGRAPH
                + "</p><pre>z</pre><table><tr><td>1</table></article><form><input></form>")
            .getBytes(UTF_8);
    int rounds = Boolean.getBoolean("sluice.full") ? 1_000_000 : 5_000;
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = page.clone();
      for (int hits = 1 + random.nextInt(20); hits > 0; hits--) {
        damaged[random.nextInt(page.length)] =
            random.nextBoolean()
                ? (byte) random.nextInt(128)
                : (byte) "<>/'=&;".charAt(random.nextInt(7));
      }
      try {
        MainContent.of(damaged);
      } catch (RefusedException e) {
        assertThat(e).hasMessageContaining("UTF-8");
      } catch (Throwable e) {
        throw new AssertionError("round " + round + " of seed 20261124", e);
      }
    }
  }

  private static void assertRefused(String page, String reason) {
    assertThatThrownBy(() -> MainContent.of(page.getBytes(StandardCharsets.ISO_8859_1)))
        .isInstanceOf(RefusedException.class)
        .hasMessage(reason);
  }

  private static String of(String page) throws RefusedException {
    return MainContent.of(page.getBytes(UTF_8));
  }
}
