package io.sluice.cli.ingest.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.dataset.DatasetFile;
import io.sluice.cli.ingest.source.SourceParts;
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
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.DocumentRange;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
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
      storeGoesAwayFromRanges(kafka, s3);
      rangesAreFollowed(kafka);
      filesAreFollowed(kafka, s3);
      documentsGoToTheDomainsThatTheyName(kafka, s3);
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

  private static void storeGoesAwayFromRanges(KafkaAccess kafka, TestingS3 s3) {
    s3.put("corpora", "refs/a.jsonl", lines(0, LINES));
    AtomicLong read = new AtomicLong();
    IngestListener killer =
        bytes -> {
          if (read.addAndGet(bytes) > LINES * 250L) {
            s3.kill();
          }
        };
    assertThatThrownBy(() -> refer(kafka, Duration.ofMillis(300), killer))
        .isInstanceOf(UnreachableException.class);
    long first = records(kafka, "refs");
    assertThat(first).isBetween(1000L, LINES - 1L);
    s3.start();
    IngestReport report = refer(kafka, Duration.ofSeconds(20), bytes -> {});
    assertThat(report.known()).isEqualTo(first);
    assertThat(report.referred()).isEqualTo(LINES - first);
    assertThat(records(kafka, "refs")).isEqualTo(LINES);
    assertThat(refer(kafka, Duration.ofSeconds(20), bytes -> {}).referred()).isZero();
  }

  private void rangesAreFollowed(KafkaAccess kafka) throws IOException {
    Path folder = Files.createDirectory(directory.resolve("grows"));
    Path file = folder.resolve("a.jsonl");
    Path whole = Files.writeString(folder.resolve("b.txt"), "a text");
    Queue<Runnable> between =
        new ArrayDeque<>(
            List.of(
                () -> append(file, lines(0, 10) + "{\"te"),
                () -> append(file, "xt\":\"eleventh\"}\n" + lines(0, 5)),
                () -> {}));
    FollowedFiles followed = new FollowedFiles(IngestSettings.of("grows").format());
    List<Long> known = new ArrayList<>();
    new FollowLoop(
            () -> {
              SourceFiles due = followed.due(SourceFiles.local(List.of(folder), false));
              if (!due.files().isEmpty()) {
                known.add(ingest(kafka, "grows", bytes -> {}).reference(due).known());
              }
            },
            time -> between.peek() != null && runs(between.poll()),
            Duration.ofSeconds(5))
        .run();
    // The file's ten lines when it has grown; the text was taken once it rested, and not again.
    assertThat(known).containsExactly(0L, 10L);
    assertThat(records(kafka, "grows")).isEqualTo(16 + 1);
    assertThat(ingest(kafka, "grows", bytes -> {}).paths(List.of(file, whole)).documents())
        .isZero();
  }

  private static boolean runs(Runnable next) {
    next.run();
    return true;
  }

  private static IngestReport refer(KafkaAccess kafka, Duration patience, IngestListener progress) {
    try (FileStores stores = new FileStores(new S3Settings(patience, notice -> {}))) {
      return ingest(kafka, "refs", progress)
          .reference(SourceFiles.below(stores, List.of("s3://corpora/refs"), false));
    }
  }

  private static CorpusIngest ingest(KafkaAccess kafka, String domain, IngestListener progress) {
    return new CorpusIngest(kafka, IngestSettings.of(domain), true, false, progress);
  }

  /** Records that the ranges of a corpus name, of each file one behind the other. */
  private static long records(KafkaAccess kafka, String domain) {
    Map<String, Long> ends = new HashMap<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().corpus(domain)),
            message -> {
              DocumentRange range = WireCodec.decode(DocumentRange.class, message.value());
              long before = ends.getOrDefault(range.getLocation(), 0L);
              assertThat(range.getFirst()).isEqualTo(before + 1);
              ends.put(range.getLocation(), before + range.getRecords());
            });
    return ends.values().stream().mapToLong(each -> each).sum();
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

  private void documentsGoToTheDomainsThatTheyName(KafkaAccess kafka, TestingS3 s3)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      String from = line % 1000 == 999 ? "nobody" : line % 3 == 0 ? "enwiki" : "code";
      lines.append("{\"text\":\"").append(line).append(PADDING);
      lines.append("\",\"from\":\"").append(from).append("\"}\n");
    }
    s3.put("corpora", "mixed/all.jsonl", lines.toString());
    Path folder = Files.createDirectories(directory.resolve("more/code"));
    Files.writeString(folder.resolve("a.txt"), "code of a folder");
    Files.writeString(directory.resolve("more/b.txt"), "of no folder");
    Path file =
        Files.writeString(
            directory.resolve("dataset.yaml"),
            """
            dataset: mixed
            sequence-length: 16 tokens
            domains: [wiki, code]
            sources:
              - {path: 's3://corpora/mixed/*', domain: {column: from, names: {enwiki: wiki}}}
              - {path: more, domain: folder}
            """);
    DatasetSpec dataset = DatasetFile.read(file);
    AtomicLong read = new AtomicLong();
    IngestListener killer =
        bytes -> {
          if (read.addAndGet(bytes) > LINES * 50L) {
            s3.kill();
          }
        };
    assertThatThrownBy(() -> sources(kafka, dataset, Duration.ofMillis(300), killer))
        .isInstanceOf(UnreachableException.class);
    s3.start();
    sources(kafka, dataset, Duration.ofSeconds(20), bytes -> {});
    Map<String, IngestReport> again = sources(kafka, dataset, Duration.ofSeconds(20), bytes -> {});
    assertThat(again.values()).allSatisfy(report -> assertThat(report.documents()).isZero());

    List<String> wiki =
        IntStream.range(0, LINES)
            .filter(line -> line % 1000 != 999 && line % 3 == 0)
            .mapToObj(line -> line + PADDING)
            .toList();
    assertThat(texts(kafka, "wiki")).isEqualTo(wiki);
    List<String> code = texts(kafka, "code");
    assertThat(code).hasSize(LINES - LINES / 1000 - wiki.size() + 1).doesNotHaveDuplicates();
    assertThat(code).last().isEqualTo("code of a folder");
    new CorpusIngest(kafka, IngestSettings.of("wiki"), false, true, bytes -> {})
        .files(new SourceFiles(List.of(), 0, 0));
    // None of them is of the domain that is left.
    s3.put(
        "corpora",
        "mixed/later.jsonl",
        "{\"text\":\"a\",\"from\":\"enwiki\"}\n{\"text\":\"b\",\"from\":\"later\"}\nbroken\n");
    for (int repeat = 0; repeat < 2; repeat++) {
      assertThat(sources(kafka, dataset, Duration.ofSeconds(20), bytes -> {}))
          .containsOnlyKeys("code");
    }
    assertThat(texts(kafka, "code")).isEqualTo(code);
    Set<String> refused = new TreeSet<>();
    List<String> later = new ArrayList<>();
    List<String> nobodys = new ArrayList<>();
    new TopicScan(kafka)
        .read(
            List.of(kafka.topics().deadLetters()),
            message -> {
              DeadLetter letter = WireCodec.decode(DeadLetter.class, message.value());
              refused.add(letter.getPosition() + ": " + letter.getReason());
              if (letter.getOrigin().endsWith("later.jsonl")) {
                later.add(letter.getReason());
              }
              if (letter.getPosition() == 0) {
                nobodys.add(letter.getOrigin());
              }
            });
    assertThat(nobodys).containsExactly(directory.resolve("more/b.txt").toString());
    assertThat(later)
        .hasSize(2)
        .startsWith("'from' must name one of wiki, code: found 'later'")
        .last(InstanceOfAssertFactories.STRING)
        .startsWith("not JSON");
    assertThat(refused)
        .hasSize(LINES / 1000 + 3)
        .contains("0: the folder must name one of wiki, code, or be mapped")
        .contains("1000: 'from' must name one of wiki, code: found 'nobody'");
  }

  private static Map<String, IngestReport> sources(
      KafkaAccess kafka, DatasetSpec dataset, Duration patience, IngestListener progress) {
    try (FileStores stores = new FileStores(new S3Settings(patience, notice -> {}))) {
      SourceParts parts = new SourceParts();
      for (DatasetSource source : dataset.getSources()) {
        parts.add(dataset, source, SourceFiles.below(stores, List.of(source.getPath()), false));
      }
      return new SourcesIngest(kafka, dataset, false, 2, progress).ingest(parts, false);
    }
  }

  private static void follow(KafkaAccess kafka, Path folder, Queue<Runnable> between) {
    IngestSettings settings = IngestSettings.of("logs");
    List<String> paths = List.of(folder.toString(), "s3://corpora/logs/");
    try (FileStores stores = new FileStores(S3Settings.forever(notice -> {}))) {
      FollowedFiles followed = new FollowedFiles(settings.format());
      new FollowLoop(
              () -> {
                SourceFiles due = followed.due(SourceFiles.now(stores, paths, false));
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
