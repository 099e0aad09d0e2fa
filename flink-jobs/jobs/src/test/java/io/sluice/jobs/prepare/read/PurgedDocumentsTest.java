package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.TokenBytes;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Document;
import io.sluice.schema.PurgedDocument;
import io.sluice.schema.PurgedReading;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

/** What stands in the place of a document that was purged, to datasets. */
class PurgedDocumentsTest {
  @Test
  void aPurgedDocumentIsWhatTheDocumentWas() {
    DatasetSpec spec = dataset();
    List<SpecificRecordBase> documents =
        List.of(
            document("plain", "learnt with a gap, or not: that is for the text to say"),
            document("empty", ""),
            new Document("spans", "two spans", "o", 1L, Map.of(), List.of(0, 3, 4, 9)),
            new Document("none counts", "text", "o", 1L, Map.of(), List.of()),
            tokens("bytes", new byte[] {120, 0, 121, 0}));
    try (DocumentReadings readings = new DocumentReadings(spec, Tokenizers.forName("bytes"))) {
      for (SpecificRecordBase document : documents) {
        TokenizedDocument was = tokenized(read(spec, document));
        PurgedReading made = readings.of(document, "java");
        TokenizedDocument is = tokenized(read(spec, new PurgedDocument(was.id(), List.of(made))));

        assertThat(is)
            .usingRecursiveComparison()
            .ignoringFields("tokens")
            .as("%s", was.id())
            .isEqualTo(was);
        assertThat(is.tokens()).isEqualTo(padding(was.tokens().length / 2));
      }
    }
  }

  private static TokenizedDocument tokenized(Reading reading) {
    return (TokenizedDocument) ((Reading.Accepted) reading).event();
  }

  private static byte[] padding(int tokens) {
    byte[] padding = TokenBytes.of(Tokenizers.forName("bytes").vocabulary().padding(), 2);
    return TokenBytes.joined(Collections.nCopies(tokens, padding));
  }

  /** With something of everything that changes tokens. */
  private static DatasetSpec dataset() {
    DatasetSpec spec = TestingDatasets.dataset(8, 1, 0.5);
    spec.setFimRate(1.0);
    spec.setFimTokens(List.of(1, 2, 3));
    spec.setBeginOfDocument(4);
    return spec;
  }

  @Test
  void aRefusedDocumentThatIsPurgedCountsAndIsNoDeadLetterAgain() {
    DatasetSpec spec = dataset();
    TokenDocument refused = tokens("others", new byte[2]);
    assertThat(read(spec, refused)).isInstanceOf(Reading.Refused.class);
    try (DocumentReadings readings = new DocumentReadings(spec, Tokenizers.forName("bytes"))) {
      PurgedReading made = readings.of(refused, "java");
      assertThat(read(spec, new PurgedDocument("t", List.of(made))))
          .isEqualTo(new Reading.Accepted(new DocumentRefused("java")));
    }
  }

  @Test
  void aPurgedDocumentThatTheDatasetHadNotReadIsNotThere() {
    PurgedReading others = purged(dataset(), 5, List.of());
    others.setFingerprint(1);
    assertThat(read(dataset(), new PurgedDocument("a", List.of(others))))
        .isEqualTo(new Reading.Several(List.of()));
    assertThat(read(dataset(), new PurgedDocument("a", List.of())))
        .isEqualTo(new Reading.Several(List.of()));
  }

  @Test
  void refusesPurgedDocumentsAsNoDocumentIs() {
    assertPurgedRefused(
        -1, List.of(), "tokens of a purged document must be in [0, 67108864]: found -1");
    assertPurgedRefused(
        Integer.MAX_VALUE,
        List.of(),
        "tokens of a purged document must be in [0, 67108864]: found 2147483647");
    for (List<Integer> counted :
        List.of(
            List.of(2, 4),
            List.of(3, -1),
            List.of(Integer.MAX_VALUE, Integer.MAX_VALUE, 3),
            Collections.nCopies(514, 0))) {
      long sum = counted.stream().mapToLong(Integer::longValue).sum();
      assertPurgedRefused(
          5,
          counted,
          "counted of a purged document must be at most 513 runs, none negative, of its 5 tokens:"
              + " found %d of %d".formatted(counted.size(), sum));
    }
    DatasetSpec spec = dataset();
    PurgedDocument longest =
        new PurgedDocument("x".repeat(4097), List.of(purged(spec, 1, List.of())));
    assertThat(((Reading.Refused) read(spec, longest)).reason())
        .startsWith("document id must have at most 4096 bytes: 4097");
  }

  private static void assertPurgedRefused(int tokens, List<Integer> counted, String reason) {
    DatasetSpec spec = dataset();
    assertThat(read(spec, new PurgedDocument("a", List.of(purged(spec, tokens, counted)))))
        .isEqualTo(new Reading.Refused(Optional.of("java"), reason));
  }

  private static PurgedReading purged(DatasetSpec spec, int tokens, List<Integer> counted) {
    return new PurgedReading(spec.getFingerprint(), false, tokens, counted, 0L);
  }

  @Test
  void whatAPurgedDocumentTakesIsCounted() {
    DatasetSpec spec = dataset();
    PurgedDocument document = new PurgedDocument("a", List.of(purged(spec, 1 << 20, List.of())));
    assertThat(task(spec, document).bytes()).isEqualTo(2L << 20);
  }

  @Test
  void aDocumentOfMoreTokensThanThatCannotBePurged() {
    byte[] most = new byte[2 * PurgedTokens.MOST + 2];
    try (DocumentReadings readings = new DocumentReadings(dataset(), Tokenizers.forName("bytes"))) {
      assertThatThrownBy(() -> readings.of(tokens("bytes", most), "java"))
          .isInstanceOf(BadInputException.class)
          .hasMessage(
              "document 't' of domain 'java' cannot be purged for dataset 'demo': tokens of a"
                  + " purged document must be in [0, 67108864]: found 67108865");
    }
  }

  private static Reading read(DatasetSpec spec, SpecificRecordBase message) {
    return TestingCorpus.reading(task(spec, message));
  }

  private static Task task(DatasetSpec spec, SpecificRecordBase message) {
    byte[] value = WireCodec.encode(message);
    return TestingCorpus.reader(spec).read(new CorpusRecord("sluice.corpus.java", 0, 0, value));
  }

  private static Document document(String id, String text) {
    return new Document(id, text, "-", 0L, Map.of(), null);
  }

  private static TokenDocument tokens(String tokenizer, byte[] ids) {
    return new TokenDocument("t", tokenizer, 2, ByteBuffer.wrap(ids), "o", 1L, Map.of());
  }
}
