package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.error.BadInputException;
import io.sluice.control.history.TopicScan;
import io.sluice.control.line.Fields;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.Format;
import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;
import io.sluice.corpus.tokens.TokenSource;
import io.sluice.corpus.tokens.TokenType;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.IngestProgress;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepeatedIngestIT {
  private static final int LINES = 300_000;
  private static final IngestSettings SETTINGS = new IngestSettings("web", Format.LINES, 10_000);

  @TempDir Path directory;

  @Test
  void anIngestThatWasKilledTwiceHasEachDocumentOnce() throws Exception {
    Path file = directory.resolve("big.txt");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      String text = "word ".repeat(100);
      for (int line = 1; line <= LINES; line++) {
        out.write(text + line + "\n");
      }
    }
    try (EmbeddedBroker broker = broker()) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      // Behind 64 MiB the table knows a part of the file; before, only the corpus does.
      for (int killedBehind : List.of(10_000, 200_000)) {
        killBehind(kafka, file, killedBehind);
        assertThat(new CorpusEnds(kafka).of("web").records())
            .isBetween((long) killedBehind, LINES - 1L);
      }
      IngestReport last = ingest(kafka, file);
      assertThat(last.known()).isGreaterThanOrEqualTo(200_000);
      assertThat(last.known() + last.documents()).isEqualTo(LINES);
      assertThat(lines(kafka)).isEqualTo(LongStream.rangeClosed(1, LINES).boxed().toList());
      assertThat(ingest(kafka, file).documents()).isZero();
    }
  }

  @Test
  void aFileThatGrewGoesOnAndOneThatChangedIsRefusedWhileOthersAreRead() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("folder"));
    Path grows = Files.writeString(folder.resolve("a.txt"), "one\ntwo");
    Path changes = Files.writeString(folder.resolve("b.txt"), "three\nfour\n");
    try (EmbeddedBroker broker = broker()) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      assertThat(ingest(kafka, folder).documents()).isEqualTo(4);
      Files.writeString(grows, "\nfive\n", StandardOpenOption.APPEND);
      Files.writeString(changes, "three\nFOUR\n");
      Files.writeString(folder.resolve("c.txt"), "six");
      Files.createSymbolicLink(folder.resolve("d.txt"), Path.of("nowhere"));

      IngestReport again = ingest(kafka, folder);
      assertThat(again.documents()).isEqualTo(2);
      assertThat(again.givenUp()).isEqualTo(2);
      assertThat(again.firstRefusals().get(0))
          .startsWith(changes + ": was changed since it was ingested: its first 2 records");
      assertThat(new CorpusEnds(kafka).of("web").documents()).isEqualTo(6);

      IngestReport third = ingest(kafka, folder);
      assertThat(third.givenUp()).isEqualTo(2);
      assertThat(third.deadLetters()).isEqualTo(1);
      List<String> unread = new ArrayList<>();
      new TopicScan(kafka)
          .read(
              List.of(kafka.topics().deadLetters()),
              message -> {
                DeadLetter letter = WireCodec.decode(DeadLetter.class, message.value());
                if (letter.getReason().startsWith("cannot be read: it is a link")) {
                  unread.add(letter.getOrigin());
                }
              });
      assertThat(unread).containsExactly(folder.resolve("d.txt").toString());
      Files.writeString(folder.resolve("nowhere"), "seven");
      assertThat(ingest(kafka, folder).documents()).isEqualTo(2);

      IngestSettings text = new IngestSettings("web", Format.TEXT, 10_000);
      assertThat(ingest(kafka, text, grows).firstRefusals().get(0))
          .contains("was ingested as 'lines', and would be read as 'text' now");
    }
  }

  @Test
  void aDomainTakesFilesFromOneIngestAtATime() throws Exception {
    Path file = Files.writeString(directory.resolve("a.txt"), "one\ntwo\n");
    try (EmbeddedBroker broker = broker()) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      String corpus = KnownDomains.open(kafka, "web", true);
      try (CorpusWriter writer = new CorpusWriter(kafka, "web")) {
        IngestSession session =
            IngestSession.begin(kafka, writer, "web", corpus, false, IngestedFiles.folder());
        assertThatThrownBy(() -> ingest(kafka, file))
            .isInstanceOf(BadInputException.class)
            .hasMessageStartingWith("domain 'web' takes files from one ingest at a time: process ")
            .hasMessageContaining("--take-over");
        session.abandon(new IllegalStateException());
        assertThat(ingest(kafka, file).documents()).isEqualTo(2);

        // A process that is on another machine, or was.
        writer.ingested(
            "web", new IngestProgress("web", corpus, true, 0L, "/", "x", "another", 1L, 0L, 0L));
        writer.flush();
      }
      assertThatThrownBy(() -> ingest(kafka, file)).hasMessageContaining("process 1 on another");
      IngestReport taken =
          new CorpusIngest(kafka, SETTINGS, true, true, false, bytes -> {}, 1).paths(List.of(file));
      assertThat(taken.documents()).isZero();
      assertThat(ingest(kafka, file).known()).isEqualTo(2);
    }
  }

  @Test
  void ofIngestsThatBeginAtTheSameMomentOneGoesOn() throws Exception {
    try (EmbeddedBroker broker = broker();
        CorpusWriters writers = new CorpusWriters(broker)) {
      for (int round = 0; round < 10; round++) {
        CyclicBarrier together = new CyclicBarrier(3);
        List<Future<IngestSession>> begun = new ArrayList<>();
        for (CorpusWriter writer : writers.all) {
          begun.add(writers.threads.submit(() -> writers.begin(writer, together)));
        }
        List<IngestSession> going = new ArrayList<>();
        for (Future<IngestSession> each : begun) {
          try {
            going.add(each.get());
          } catch (ExecutionException e) {
            assertThat(e.getCause())
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("takes files from one ingest at a time");
          }
        }
        assertThat(going).as("round %s", round).hasSize(1);
        going.get(0).end();
      }
    }
  }

  /** Three ingests of one domain. */
  private static final class CorpusWriters implements AutoCloseable {
    private final KafkaAccess kafka;
    private final String corpus;
    private final List<CorpusWriter> all = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(3);

    CorpusWriters(EmbeddedBroker broker) {
      kafka = KafkaAccess.local(broker.bootstrapServers());
      corpus = KnownDomains.open(kafka, "web", true);
      for (int each = 0; each < 3; each++) {
        all.add(new CorpusWriter(kafka, "web"));
      }
    }

    IngestSession begin(CorpusWriter writer, CyclicBarrier together) throws Exception {
      together.await();
      return IngestSession.begin(kafka, writer, "web", corpus, false, IngestedFiles.folder());
    }

    @Override
    public void close() {
      threads.shutdownNow();
      all.forEach(CorpusWriter::close);
    }
  }

  @Test
  void whatAFileOfTheWrongFormatGaveIsForgotten() throws Exception {
    Path file = Files.writeString(directory.resolve("a.txt"), "one\ntwo\n");
    try (EmbeddedBroker broker = broker()) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      IngestSettings json = new IngestSettings("web", Format.JSONL, 10_000);
      assertThat(ingest(kafka, json, file).deadLetters()).isEqualTo(2);
      assertThat(ingest(kafka, file).documents()).isEqualTo(2);
    }
  }

  @Test
  void documentsOfTokenIdsAreIngestedOnceToo() throws Exception {
    Path samples = Path.of("../../flink-jobs/corpus/src/test/resources/tokens");
    Path file = Files.copy(samples.resolve("flat-u2.npy"), directory.resolve("flat.npy"));
    TokenLayout layout = new TokenLayout(TokenType.INT64, Optional.empty(), "id", 0, 100);
    IngestSettings settings =
        new IngestSettings(
            "web",
            Format.TOKENS,
            100,
            Fields.STANDARD,
            false,
            Optional.empty(),
            Optional.of(new TokenSource("gpt", new TokenIds(50_257, 2), layout)));
    try (EmbeddedBroker broker = broker()) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      assertThat(ingest(kafka, settings, file).documents()).isEqualTo(3);
      IngestReport again = ingest(kafka, settings, file);
      assertThat(again.documents()).isZero();
      assertThat(again.known()).isEqualTo(4);
      assertThat(again.deadLetters()).isZero();
    }
  }

  /** What the process that is killed does. */
  public static void main(String[] arguments) {
    ingest(KafkaAccess.local(arguments[0]), Path.of(arguments[1]));
  }

  private void killBehind(KafkaAccess kafka, Path file, long documents) throws Exception {
    Path log = directory.resolve("process.log");
    KilledIngest.behind(kafka, "web", documents, log, RepeatedIngestIT.class, file.toString());
  }

  private static List<Long> lines(KafkaAccess kafka) {
    List<Long> lines = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().corpus("web")),
            message -> lines.add(WireCodec.decode(Document.class, message.value()).getLine()));
    return lines;
  }

  private static IngestReport ingest(KafkaAccess kafka, Path path) {
    return ingest(kafka, SETTINGS, path);
  }

  private static IngestReport ingest(KafkaAccess kafka, IngestSettings settings, Path path) {
    return new CorpusIngest(kafka, settings, true, false, bytes -> {}).paths(List.of(path));
  }

  private EmbeddedBroker broker() throws IOException {
    return EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
  }
}
