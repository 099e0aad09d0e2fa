package io.sluice.lab.reproduce.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.reproduce.corpus.SampledTexts.Amounts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SampledTextsTest {
  private static final Map<String, Amounts> ASKED =
      Map.of("a", new Amounts(4_000, 4_000, 20_000), "b", new Amounts(4_000, 0, 20_000));

  @Test
  void wholeSectionsAreInOnePart() {
    Map<String, SampledTexts> drawn = SampledTexts.draw(new TestingLibrary(), ASKED, 1);
    for (SampledTexts texts : drawn.values()) {
      List<Set<String>> parts =
          Stream.of(texts.test(), texts.target(), texts.train())
              .map(SampledTextsTest::sections)
              .toList();
      long all = parts.stream().mapToLong(Set::size).sum();
      assertThat(parts.stream().flatMap(Set::stream).distinct()).hasSize((int) all);
    }
  }

  private static Set<String> sections(List<Passage> part) {
    return part.stream()
        .map(passage -> passage.id().replaceFirst("#\\d+$", ""))
        .collect(Collectors.toSet());
  }

  @Test
  void hasAsMuchAsWasAskedForAndLittleMore() {
    SampledTexts texts = SampledTexts.draw(new TestingLibrary(), ASKED, 1).get("a");
    assertThat(bytes(texts.test())).isBetween(4_000, 6_100);
    assertThat(bytes(texts.target())).isBetween(4_000, 6_100);
    assertThat(bytes(texts.train())).isBetween(20_000, 22_100);
  }

  @Test
  void theSeedAloneDecides() {
    Map<String, SampledTexts> drawn = SampledTexts.draw(new TestingLibrary(), ASKED, 1);
    assertThat(SampledTexts.draw(new TestingLibrary(), ASKED, 1)).isEqualTo(drawn);
    assertThat(SampledTexts.draw(new TestingLibrary(), ASKED, 2)).isNotEqualTo(drawn);
  }

  @Test
  void whatIsLikeATestsPassageIsNotTrainedOnInAnyDomain() {
    Library shared = new TestingLibrary(domain -> "a");
    Map<String, SampledTexts> drawn = SampledTexts.draw(shared, ASKED, 3);
    List<String> texts =
        drawn.values().stream()
            .flatMap(each -> Stream.of(each.test(), each.target(), each.train()))
            .flatMap(List::stream)
            .map(Passage::text)
            .toList();
    assertThat(texts).doesNotHaveDuplicates();
  }

  private static int bytes(List<Passage> passages) {
    return passages.stream().mapToInt(passage -> passage.text().getBytes(UTF_8).length).sum();
  }
}
