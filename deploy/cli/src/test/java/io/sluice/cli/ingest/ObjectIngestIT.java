package io.sluice.cli.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.history.TopicScan;
import io.sluice.corpus.document.IngestListener;
import io.sluice.corpus.document.IngestReport;
import io.sluice.corpus.document.IngestSettings;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.follow.FollowLoop;
import io.sluice.corpus.follow.FollowedFiles;
import io.sluice.corpus.store.FileStores;
import io.sluice.corpus.store.S3Settings;
import io.sluice.corpus.store.TestingS3;
import io.sluice.schema.Document;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.WireCodec;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectIngestIT {
  private static final int LINES = 40_000;
  private static final String PADDING = "x".repeat(500);

  @TempDir Path directory;

  @Test
  void whatAStoreHasIsIngestedOnceThoughItGoesAwayAndFilesAreFollowedWhileTheyGrow()
      throws Exception {
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
        TestingS3 s3 = new TestingS3("corpora")) {
      KafkaAccess kafka = KafkaAccess.local(broker.bootstrapServers());
      storeGoesAway(kafka, s3);
      filesAreFollowed(kafka, s3);
    }
  }

  private static void storeGoesAway(KafkaAccess kafka, TestingS3 s3) {
    s3.put("corpora", "web/a.jsonl", lines(0, LINES));
    s3.put("corpora", "web/b.jsonl", lines(LINES, LINES + 10));
    AtomicLong read = new AtomicLong();
    IngestListener killer =
        bytes -> {
          if (read.addAndGet(bytes) > LINES * 50L) {
            s3.kill();
          }
        };
    assertThatThrownBy(() -> ingest(kafka, Duration.ofMillis(300), killer))
        .isInstanceOf(UnreachableException.class)
        .hasMessageContaining("s3://corpora/web/a.jsonl: the store at " + s3.endpoint());
    int first = texts(kafka, "web").size();
    assertThat(first).isBetween(1000, LINES - 1);

    s3.start();
    IngestReport report = ingest(kafka, Duration.ofSeconds(20), bytes -> {});
    assertThat(report.known()).isEqualTo(first);
    assertThat(report.documents()).isEqualTo(LINES + 10L - first);
    assertThat(texts(kafka, "web"))
        .isEqualTo(IntStream.range(0, LINES + 10).mapToObj(line -> line + PADDING).toList());
    assertThat(ingest(kafka, Duration.ofSeconds(20), bytes -> {}).documents()).isZero();
  }

  private void filesAreFollowed(KafkaAccess kafka, TestingS3 s3) throws IOException {
    Path folder = Files.createDirectory(directory.resolve("logs"));
    Path file = folder.resolve("a.jsonl");
    Queue<Runnable> between =
        new ArrayDeque<>(
            List.of(
                () -> append(file, "{\"text\":\"one\"}\n{\"text\":\"t"),
                () -> s3.put("corpora", "logs/x.jsonl", "{\"text\":\"x\"}"),
                () -> append(file, "wo\"}\n{\"text\":\"three\"}\n"),
                () -> append(file, "{\"text\":\"fo"),
                () -> append(file, "ur\"}\n"),
                () -> {}));
    follow(kafka, folder, between);
    assertThat(texts(kafka, "logs")).containsExactly("one", "x", "two", "three", "four");
    // Another one that begins later knows what this one took.
    append(file, "{\"text\":\"five\"}\n");
    follow(kafka, folder, new ArrayDeque<>(List.of(() -> {})));
    assertThat(texts(kafka, "logs")).containsExactly("one", "x", "two", "three", "four", "five");
  }

  private static void follow(KafkaAccess kafka, Path folder, Queue<Runnable> between) {
    IngestSettings settings = IngestSettings.of("logs");
    List<String> paths = List.of(folder.toString(), "s3://corpora/logs/");
    try (FileStores stores = new FileStores(S3Settings.forever(notice -> {}))) {
      new FollowLoop(
              new FollowedFiles(settings.format()),
              () -> SourceFiles.now(stores, paths, false),
              due -> {
                IngestReport report =
                    new CorpusIngest(kafka, settings, true, false, bytes -> {}).files(due);
                assertThat(report.deadLetters()).isZero();
              },
              time -> {
                Runnable next = between.poll();
                if (next != null) {
                  next.run();
                }
                return next != null;
              },
              Duration.ofSeconds(5))
          .run();
    }
  }

  private static IngestReport ingest(
      KafkaAccess kafka, Duration patience, IngestListener progress) {
    IngestSettings settings = IngestSettings.of("web");
    try (FileStores stores = new FileStores(new S3Settings(patience, notice -> {}))) {
      SourceFiles files = SourceFiles.below(stores, List.of("s3://corpora/web"), false);
      return new CorpusIngest(kafka, settings, true, false, progress).files(files);
    }
  }

  private static List<String> texts(KafkaAccess kafka, String domain) {
    List<String> texts = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().corpus(domain)),
            message -> texts.add(WireCodec.decode(Document.class, message.value()).getText()));
    return texts;
  }

  private static String lines(int from, int to) {
    StringBuilder lines = new StringBuilder();
    for (int line = from; line < to; line++) {
      lines.append("{\"text\":\"").append(line).append(PADDING).append("\"}\n");
    }
    return lines.toString();
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
