package io.sluice.lab.reproduce.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.lab.reproduce.corpus.Passage;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class DocumentsTest {
  @Test
  void whatIsLikeATestedPassageOrADocumentBeforeIsLeftOut() {
    String tested = line(1);
    String common = line(2);
    Documents documents = new Documents(List.of(List.of(new Passage("t", tested))), 1000);
    assertThat(documents.of(List.of(new Passage("a", line(3) + common + "\n" + tested))))
        .extracting(Passage::id)
        .containsExactly("a.0", "a.1");
    assertThat(documents.of(List.of(new Passage("b", common + line(4)))))
        .containsExactly(new Passage("b.1", line(4)));
  }

  /** A line of some 900 characters. */
  private static String line(long seed) {
    return new Random(seed)
            .ints(180, 1000, 10_000)
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(" "))
        + "\n";
  }
}
