package io.sluice.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.lineage.LineageRow;
import io.sluice.control.line.DocumentName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WhereaboutsTest {
  private static final List<LineageRow> BATCHES =
      IntStream.of(3, 4)
          .mapToObj(batch -> new LineageRow("a", "wiki", 0, 1, "run", 0, batch, 9, false, false, 0))
          .toList();

  private static final List<DocumentName> DOCUMENTS =
      Stream.of("a", "b", "c", "d").map(id -> new DocumentName("wiki", id)).toList();

  @Test
  void withoutTheCorporaNobodySaysThatADocumentIsUnknown() {
    assertThat(of(DOCUMENTS, Optional.empty()).lines())
        .containsExactly(
            "1 documents were in batches before, 2 times; 1 are in training blocks of these runs'"
                + " datasets, and were in no batch",
            "2 are in none of these blocks; whether a corpus has them was not looked at, --look-up"
                + " does unless its documents are being purged: wiki/c, wiki/d");
  }

  @Test
  void documentsOfNoCorpusAreNamed() {
    CorpusLookUp lookUp =
        new CorpusLookUp(Set.of("wiki"), Map.of("wiki", Set.of("a", "b", "c")), 0);
    assertThat(of(DOCUMENTS, Optional.of(lookUp)).lines())
        .endsWith(
            "1 are in a corpus, and in none of these blocks",
            "1 are unknown, in no corpus: wiki/d");
    CorpusLookUp files = new CorpusLookUp(Set.of("wiki"), Map.of(), 7);
    assertThat(of(DOCUMENTS, Optional.of(files)).lines())
        .endsWith(
            "2 are unknown, in no corpus but perhaps in one of 7 records of files, which were not"
                + " read: wiki/c, wiki/d");
  }

  @Test
  void documentsOfADomainThatIsNotThereAreUnknownAndTheFirstAreNamed() {
    List<DocumentName> typos =
        IntStream.range(0, 12).mapToObj(i -> new DocumentName("wikki", "" + i)).toList();
    Whereabouts found = of(typos, Optional.empty());
    assertThat(found.unknown().documents()).isEqualTo(12);
    assertThat(found.unknown().first()).hasSize(10).startsWith("wikki/0", "wikki/1");
    assertThat(found.lines()).last().asString().endsWith("wikki/9 and so on");
    assertThat(found.notLookedUp().documents()).isZero();
  }

  private static Whereabouts of(List<DocumentName> documents, Optional<CorpusLookUp> lookUp) {
    return Whereabouts.of(
        documents, BATCHES, Map.of("wiki", Set.of("a", "b")), Set.of("wiki"), lookUp);
  }
}
