package io.sluice.jobs.prepare.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.corpus.range.SourceRoots;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.record.CorpusRecord;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.prepare.record.DomainEvent.DocumentRefused;
import io.sluice.jobs.prepare.record.DomainEvent.TokenizedDocument;
import io.sluice.jobs.prepare.record.DomainEventSerializer;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadCorpusTest {
  @Test
  void deadLettersSayWhatWasRefusedAndNothingElseIsLost() throws Exception {
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness = harness()) {
      harness.open();
      byte[] broken = new byte[100_000];
      harness.processElement(input(0, document("a")), 0);
      harness.processElement(new CorpusRecord("sluice.corpus.java", 3, 1, broken), 0);
      harness.processElement(input(2, document("b")), 0);
      harness.prepareSnapshotPreBarrier(1);

      assertThat(harness.extractOutputValues())
          .satisfiesExactly(
              first -> assertThat(first).isInstanceOf(TokenizedDocument.class),
              second -> assertThat(second).isEqualTo(new DocumentRefused("java")),
              third -> assertThat(third).isInstanceOf(TokenizedDocument.class));
      DeadLetter letter = deadLetters(harness).get(0);
      assertThat(letter.getComponent()).isEqualTo("prepare");
      assertThat(letter.getOrigin()).isEqualTo("sluice.corpus.java");
      assertThat(letter.getPartition()).isEqualTo(3);
      assertThat(letter.getPosition()).isEqualTo(1);
      assertThat(letter.getReason()).startsWith("not Avro single-object encoding: 100000 bytes");
      assertThat(letter.getPayload().remaining()).isEqualTo(65_536);
      assertThat(letter.getTimeMillis()).isEqualTo(42);
      assertThat(deadLetters(harness)).hasSize(1);
    }
  }

  @Test
  void remembersEndMarkersAcrossARestore() throws Exception {
    OperatorSubtaskState state;
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness = harness()) {
      harness.open();
      harness.processElement(input(0, new EndOfDomain("java", 0, 0L)), 0);
      harness.prepareSnapshotPreBarrier(1);
      assertThat(harness.extractOutputValues()).containsExactly(new CorpusEnded("java"));
      state = harness.snapshot(1, 1);
    }
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness = harness()) {
      harness.initializeState(state);
      harness.open();
      harness.processElement(input(1, document("late")), 0);
      harness.endInput();

      assertThat(harness.extractOutputValues()).isEmpty();
      assertThat(deadLetters(harness).get(0).getReason())
          .startsWith("after the end marker of domain 'java' at offset 0");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void whatComesOutIsTheSameForAnyNumberOfThreads(int threads) throws Exception {
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness = harness(threads)) {
      harness.open();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        // A long text before short ones: whoever has those is done first.
        String text = "x".repeat(i % 10 == 0 ? 100_000 : i % 7);
        harness.processElement(input(i, new Document("d" + i, text, "-", 0L, Map.of(), null)), 0);
        expected.add("d" + i + " " + 2 * text.length());
        if (i % 300 == 299) {
          harness.prepareSnapshotPreBarrier(i);
          assertThat(harness.extractOutputValues()).hasSize(i + 1);
        }
      }
      harness.processElement(input(1000, new EndOfDomain("java", 0, 1000L)), 0);
      harness.endInput();

      List<DomainEvent> events = harness.extractOutputValues();
      assertThat(events.subList(0, 1000))
          .map(TokenizedDocument.class::cast)
          .map(document -> document.id() + " " + document.tokens().length)
          .isEqualTo(expected);
      assertThat(events.subList(1000, events.size())).containsExactly(new CorpusEnded("java"));
    }
  }

  @Test
  void aTextLeavesWithoutAnyRecordAfterIt() throws Exception {
    try (OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness = harness()) {
      harness.open();
      harness.processElement(input(0, document("a")), 0);
      while (harness.extractOutputValues().isEmpty()) {
        harness.getTaskMailbox().take(0).run();
      }
      assertThat(harness.extractOutputValues()).hasSize(1);
    }
  }

  private static OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness()
      throws Exception {
    return harness(2);
  }

  private static OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness(int threads)
      throws Exception {
    OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness =
        new OneInputStreamOperatorTestHarness<>(
            new ReadCorpusFactory(
                TestingDatasets.dataset(8, 1, 0),
                KafkaAccess.local("unused:9092"),
                new CorpusSources(SourceRoots.NONE, new TestingDecisions(List.of())),
                () -> 42,
                threads));
    harness.setup(DomainEventSerializer.INSTANCE);
    return harness;
  }

  private static List<DeadLetter> deadLetters(
      OneInputStreamOperatorTestHarness<CorpusRecord, DomainEvent> harness) {
    return harness.getSideOutput(ReadCorpus.DEAD_LETTERS).stream()
        .map(StreamRecord::getValue)
        .map(letter -> WireCodec.decode(DeadLetter.class, letter.value()))
        .toList();
  }

  private static CorpusRecord input(long offset, SpecificRecordBase message) {
    return new CorpusRecord("sluice.corpus.java", 0, offset, WireCodec.encode(message));
  }

  private static Document document(String id) {
    return new Document(id, "text", "-", 0L, Map.of(), null);
  }
}
