package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.corpus.range.Pauses;
import io.sluice.corpus.range.RangeReader;
import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.read.CorpusReader.Reading;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.Limits;
import io.sluice.schema.Supply;
import io.sluice.schema.TokenDocument;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.api.Test;

class CorpusReaderTest {
  private final CorpusReader reader = reader(Tokenizers.forName("bytes"));

  @Test
  void readsDocuments() {
    assertThat(read(0, document("a", "hé"))).isInstanceOf(Reading.Accepted.class);
    Reading reading = read(1, document("b", "xy"));

    assertThat(((Reading.Accepted) reading).event())
        .isInstanceOfSatisfying(
            TokenizedDocument.class,
            document -> {
              assertThat(document.domain()).isEqualTo("java");
              assertThat(document.id()).isEqualTo("b");
              assertThat(document.heldOut()).isFalse();
              assertThat(document.tokens()).containsExactly('x', 0, 'y', 0);
            });
  }

  @Test
  void passesTokenIdsOnAndLeavesAnEndBehindThemOut() {
    int end = Tokenizers.forName("bytes").vocabulary().endOfDocument();
    for (byte[] given : List.of(ids(120, 0, end, 121), ids(120, 0, end, 121, end))) {
      Reading reading = read(0, tokens("bytes", 2, given));
      assertThat(((Reading.Accepted) reading).event())
          .isInstanceOfSatisfying(
              TokenizedDocument.class,
              document -> {
                assertThat(document.id()).isEqualTo("t");
                assertThat(document.tokens()).isEqualTo(ids(120, 0, end, 121));
              });
    }
  }

  @Test
  void refusesTokenIdsOfAnotherTokenizerOrBeyondTheVocabulary() {
    assertRefused(
        tokens("cl100k_base", 2, ids(1)),
        "they must be of tokenizer 'bytes' with 2 bytes each: found 'cl100k_base' with 2");
    assertRefused(
        tokens("bytes", 4, ids(1, 0)),
        "they must be of tokenizer 'bytes' with 2 bytes each: found 'bytes' with 4");
    assertRefused(tokens("bytes", 2, new byte[3]), "3 bytes are no whole number of ids of 2 bytes");
    int size = Tokenizers.forName("bytes").vocabulary().size();
    assertRefused(
        tokens("bytes", 2, ids(1, size)), "token 2 must be in [0, " + size + "): found " + size);
  }

  private void assertRefused(TokenDocument document, String why) {
    assertThat(read(0, document))
        .isEqualTo(refused("tokens of document 't' cannot be used: " + why));
  }

  private static TokenDocument tokens(String tokenizer, int width, byte[] ids) {
    return new TokenDocument("t", tokenizer, width, ByteBuffer.wrap(ids), "o", 1L, Map.of());
  }

  /** Two bytes each. */
  private static byte[] ids(int... ids) {
    byte[] bytes = new byte[2 * ids.length];
    for (int i = 0; i < ids.length; i++) {
      bytes[2 * i] = (byte) ids[i];
      bytes[2 * i + 1] = (byte) (ids[i] >> 8);
    }
    return bytes;
  }

  @Test
  void passesEmptyDocumentsOnWithoutTokens() {
    Reading reading = read(0, document("a", ""));

    assertThat(((Reading.Accepted) reading).event())
        .isInstanceOfSatisfying(
            TokenizedDocument.class, document -> assertThat(document.tokens()).isEmpty());
  }

  @Test
  void readsTheEndMarkerAndRefusesWhatFollows() {
    assertThat(read(5, new EndOfDomain("java", 0, 5L)))
        .isEqualTo(new Reading.Accepted(new CorpusEnded("java")));

    String reason =
        "after the end marker of domain 'java' at offset 5: an ended domain takes no more"
            + " documents. More of it can be a domain of its own, such as 'java-2': add that to the"
            + " dataset's domains and apply it again, ingest into it, and let runs have it with"
            + " 'sluice run domain RUN --add java-2=SHARE'";
    assertThat(read(6, document("late", "x")))
        .isEqualTo(new Reading.Refused(Optional.empty(), reason));
    assertThat(read(7, new EndOfDomain("java", 0, 6L)))
        .isEqualTo(new Reading.Refused(Optional.empty(), reason));
    assertThat(read(4, document("read again", "x"))).isInstanceOf(Reading.Accepted.class);
  }

  @Test
  void refusesBytesThatAreNoRecord() {
    CorpusRecord text =
        new CorpusRecord("sluice.corpus.java", 0, 3, "plain".getBytes(StandardCharsets.UTF_8));

    assertThat(reading(reader.read(text)))
        .isEqualTo(
            refused(
                "not Avro single-object encoding: 5 bytes that do not start with C3 01 and a"
                    + " schema fingerprint"));
  }

  @Test
  void refusesRecordsThatDoNotBelongThere() {
    assertThat(read(0, new Supply("demo", 0L, "java", 0, 0L, 0L, 0L, 0L, false, 0L, 0L, null)))
        .isEqualTo(
            refused(
                "expected Document, TokenDocument, DocumentRange, PurgedDocument or EndOfDomain,"
                    + " found Supply"));
    assertThat(read(0, new EndOfDomain("prose", 0, 0L)))
        .isEqualTo(refused("end marker of domain 'prose' in the corpus of 'java'"));
  }

  @Test
  void refusesAnIdThatNoBlockCanCarryAndReadsOn() {
    String huge = "x".repeat(17 << 20);
    assertThat(read(0, document(huge, "text")))
        .isEqualTo(
            refused(
                "document id must have at most 4096 bytes: 17825792, '" + "x".repeat(79) + "…'"));
    assertThat(read(1, document("é".repeat(2048), "x"))).isInstanceOf(Reading.Accepted.class);
    assertThat(read(2, document("é".repeat(2049), "x"))).isInstanceOf(Reading.Refused.class);
    assertThat(((Reading.Refused) read(3, new EndOfDomain(huge, 0, 0L))).reason()).hasSize(127);
    assertThat(read(4, document("b", "x"))).isInstanceOf(Reading.Accepted.class);
  }

  @Test
  void refusesDocumentsOfUnknownDomains() {
    CorpusRecord other =
        new CorpusRecord("sluice.corpus.music", 0, 0, WireCodec.encode(document("a", "x")));

    assertThat(reading(reader.read(other)))
        .isEqualTo(
            new Reading.Refused(
                Optional.empty(), "domain 'music' is not one of the dataset's [java, prose]"));
  }

  @Test
  void refusesTextThatTheTokenizerCannotTake() {
    CorpusRecord input =
        new CorpusRecord("sluice.corpus.java", 0, 0, WireCodec.encode(document("a", "x")));

    assertThat(reading(reader(new FailingTokenizer("broken")).read(input)))
        .isEqualTo(
            refused("document 'a' cannot be tokenized: java.lang.IllegalStateException: broken"));
  }

  @Test
  void aTextOfALongIdThatCannotBeTokenizedIsADeadLetterThatFits() {
    String id = "x".repeat(4096);
    CorpusRecord input =
        new CorpusRecord("sluice.corpus.java", 0, 0, WireCodec.encode(document(id, "x")));
    Reading reading = reading(reader(new FailingTokenizer("y".repeat(2 << 20))).read(input));

    assertThat(reading).isInstanceOf(Reading.Refused.class);
    String reason = ((Reading.Refused) reading).reason();
    assertThat(reason).startsWith("document '" + "x".repeat(79) + "…' cannot be tokenized: ");
    DeadLetter letter = DeadLetters.of("prepare", "t", 0, 0, reason, input.value(), 0);
    assertThat(letter.getReason()).hasSize(Limits.TEXT);
    assertThat(WireCodec.encode(letter)).hasSizeLessThan(Limits.RECORD_BYTES);
  }

  private static Reading refused(String reason) {
    return new Reading.Refused(Optional.of("java"), reason);
  }

  private static CorpusReader reader(Tokenizer tokenizer) {
    return new CorpusReader(
        TestingDatasets.dataset(8, 1, 0),
        Topics.standard(),
        tokenizer,
        new EndMarkers(),
        new RangeDocuments(new RangeReader(SourceRoots.NONE, Pauses.GROWING), tokenizer, Map.of()));
  }

  private Reading read(long offset, SpecificRecordBase message) {
    return reading(
        reader.read(new CorpusRecord("sluice.corpus.java", 0, offset, WireCodec.encode(message))));
  }

  private static Reading reading(Task task) {
    try {
      return task.reading().call();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Document document(String id, String text) {
    return new Document(id, text, "-", 0L, Map.of(), null);
  }

  private record FailingTokenizer(String why) implements Tokenizer {
    @Override
    public Vocabulary vocabulary() {
      return new Vocabulary(1, 0, 0);
    }

    @Override
    public String identity() {
      return "failing";
    }

    @Override
    public byte[] encode(String text) {
      throw new IllegalStateException(why);
    }

    @Override
    public String decode(int[] tokens) {
      return "";
    }
  }
}
