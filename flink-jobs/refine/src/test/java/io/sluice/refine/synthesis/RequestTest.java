package io.sluice.refine.synthesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class RequestTest {
  private static final Sampling SAMPLING = new Sampling(.7, 10, 1);

  @Test
  void keysAreOfAllThatAnAnswerMayDependOn() {
    Request request = new Request("m", "prompt", SAMPLING);

    assertThat(request.key()).isEqualTo(new Request("m", "prompt", SAMPLING).key());
    assertThat(request.key().first()).hasSize(16);
    assertThat(
            Stream.of(
                    request,
                    new Request("mp", "rompt", SAMPLING),
                    new Request("m", "prompt ", SAMPLING),
                    new Request("m", "prompt", new Sampling(.8, 10, 1)),
                    new Request("m", "prompt", new Sampling(.7, 11, 1)),
                    new Request("m", "prompt", new Sampling(.7, 10, 2)))
                .map(Request::key))
        .doesNotHaveDuplicates();
  }

  /** A key that changed would ask for everything that users have paid for again. */
  @Test
  void keysStay() {
    assertThat(new Request("m", "prompt", SAMPLING).key().hex())
        .isEqualTo("f5c6ebbaf284a7e6a7b71d3a943ce8ebd648d4a3d1da731c2db2c4bb9f0f8b6e");
  }

  @Test
  void costsATokenForThreeBytesAndTheLongestAnswer() {
    assertThat(new Request("m", "x".repeat(30), SAMPLING).mostTokens()).isEqualTo(10 + 16 + 10);
    assertThat(new Request("m", "数".repeat(30), SAMPLING).mostTokens()).isEqualTo(30 + 16 + 10);
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatThrownBy(() -> new Sampling(2.1, 1, 0))
        .hasMessage("--temperature must be from 0 to 2: 2.1");
    assertThatThrownBy(() -> new Sampling(Double.NaN, 1, 0)).hasMessageContaining("NaN");
    assertThatThrownBy(() -> new Sampling(0, 0, 0))
        .hasMessage("--max-tokens must be from 1 to 131072: 0");
    assertThatThrownBy(() -> new Request(" ", "", SAMPLING))
        .hasMessage("--model must not be empty");
    assertThatThrownBy(() -> new RequestKey("ab")).hasMessageContaining("64 hexadecimal digits");
    assertThatThrownBy(() -> new Seed("", "t")).hasMessage("a seed's id must not be empty");
  }

  @Test
  void snippetsAreWholeLinesWherePossible() {
    String text = "one line of text\n".repeat(100);
    Seed seed = new Seed("s", text);

    String snippet = seed.snippet(100, 1);
    assertThat(snippet).startsWith("one line").endsWith("text").hasSizeLessThanOrEqualTo(100);
    assertThat(seed.snippet(100, 1)).isEqualTo(snippet);
    assertThat(seed.snippet(text.length(), 1)).isSameAs(text);
    String emoji = "\ud83d\ude00".repeat(500);
    for (int most = 1; most < 20; most++) {
      String part = new Seed("s", emoji).snippet(most, most);
      assertThat(part).isEqualTo("\ud83d\ude00".repeat(part.length() / 2));
    }
  }
}
