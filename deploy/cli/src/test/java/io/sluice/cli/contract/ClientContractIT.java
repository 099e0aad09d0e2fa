package io.sluice.cli.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.contract.TestingLoader.Batch;
import io.sluice.cli.contract.TestingLoader.Failure;
import io.sluice.cli.contract.TestingLoader.Opening;
import io.sluice.cli.loop.TestingPython;
import io.sluice.cli.trainer.WrittenStream;
import io.sluice.client.run.StreamState;
import io.sluice.control.topics.RecordWriter;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.DocumentSet;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a stream gives and refuses, the same to the clients of both languages. */
class ClientContractIT {
  private static final int BATCH = 8;

  /** More in a block than a client fetches ahead: its place is removed while it stands there. */
  private static final int LONG = 1 << 17;

  private enum Language {
    JAVA,
    PYTHON
  }

  @TempDir private static Path directory;

  private static final Map<Language, TestingClient> CLIENTS = new EnumMap<>(Language.class);
  private static EmbeddedBroker broker;
  private static KafkaAccess kafka;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(directory, 0, Patience.MINUTE);
    kafka = KafkaAccess.local(broker.bootstrapServers());
  }

  @AfterAll
  static void stop() {
    CLIENTS.values().forEach(TestingClient::close);
    broker.close();
  }

  @ParameterizedTest
  @EnumSource
  void opensAtTheStart(Language language) {
    WrittenStream written = written(language, "start", 4);
    try (TestingLoader stream = open(language, written)) {
      assertThat(stream.state()).isEqualTo(written.after(0));
      for (int batch = 1; batch <= 4; batch++) {
        assertThat(stream.next()).isEqualTo(batch(0, batch, 0, BATCH));
        assertThat(stream.state()).isEqualTo(written.after(batch));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void opensAtABatch(Language language) {
    WrittenStream written = written(language, "batch", 4);
    try (TestingLoader stream = open(language, written)) {
      stream.seekToBatch(3);
      assertThat(stream.state()).isEqualTo(written.after(2));
      assertThat(stream.next()).isEqualTo(batch(0, 3, 0, BATCH));
      stream.seekToBatch(2);
      assertThat(stream.next()).isEqualTo(batch(0, 2, 0, BATCH));
      assertFails(
          () -> stream.seekToBatch(0),
          "InvalidState: batch must be at least 1, the first of run " + written.run().runId());
    }
  }

  @ParameterizedTest
  @EnumSource
  void resumesFromAState(Language language) {
    WrittenStream written = written(language, "state", 4);
    String id = written.run().runId();
    try (TestingLoader stream = open(language, written)) {
      stream.seek(written.after(2));
      assertThat(stream.next()).isEqualTo(batch(0, 3, 0, BATCH));
      assertFails(
          () -> stream.seek(new StreamState("other", 0, 2, 16)),
          "InvalidState: the state is of run other, this stream is of run " + id);
      assertFails(
          () -> stream.seek(new StreamState(id, 0, 2, 17)),
          "InvalidState: the state is not one of run "
              + id
              + ": batch 3 starts at sequence 16, the state has 17");
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoRanksShareEachBatch(Language language) {
    WrittenStream written = written(language, "ranks", 2);
    for (int rank = 0; rank < 2; rank++) {
      try (TestingLoader stream = open(language, written, Opening.ALONE.of(rank, 2))) {
        for (int batch = 1; batch <= 2; batch++) {
          assertThat(stream.next()).isEqualTo(batch(0, batch, 4 * rank, 4 * rank + 4));
          assertThat(stream.state()).isEqualTo(written.after(batch));
        }
      }
    }
  }

  /** The two documents of a block of 33 tokens have its labels 0 to 15 and 15 to 31. */
  @ParameterizedTest
  @EnumSource
  void masksDocumentsFromABatchOnOnceTheirSetIsThere(Language language) {
    DocumentHashes set = set("document-16", "document-17", "document-3");
    DocumentHashes other = set("document-4");
    String topic = kafka.topics().sets();
    String name = name(language, "masked");
    WrittenStream written =
        WrittenStream.create(
            kafka, name, 32, BATCH, List.of(new DocumentMask(3L, set.name(), 3, "a takedown")));
    written.write(4);
    DocumentSet forged = other.record(true, name, 0);
    RecordWriter.write(kafka, topic, set.name(), forged, Patience.MINUTE);
    try (TestingLoader stream = open(language, written)) {
      for (int batch = 1; batch <= 2; batch++) {
        assertThat(stream.next()).isEqualTo(batch(0, batch, 0, BATCH));
        assertThat(stream.trained()).isEqualTo(32 * BATCH);
      }
      DocumentSet genuine = set.record(true, name, 0);
      RecordWriter.write(kafka, topic, set.name(), genuine, Patience.MINUTE);
      assertThat(stream.next()).isEqualTo(batch(0, 3, 0, BATCH));
      assertThat(stream.trained()).isEqualTo(32 * (BATCH - 1) - 16);
      assertThat(stream.next()).isEqualTo(batch(0, 4, 0, BATCH));
      assertThat(stream.trained()).isEqualTo(32 * BATCH);
      stream.seekToBatch(1);
      stream.next();
      assertThat(stream.trained()).isEqualTo(32 * BATCH);
      stream.seek(written.after(2));
      stream.next();
      assertThat(stream.trained()).isEqualTo(32 * (BATCH - 1) - 16);
    }
    int labels = 0;
    for (int rank = 0; rank < 2; rank++) {
      try (TestingLoader stream = open(language, written, Opening.ALONE.of(rank, 2))) {
        stream.seek(written.after(2));
        stream.next();
        labels += stream.trained();
      }
    }
    assertThat(labels).isEqualTo(32 * (BATCH - 1) - 16);
  }

  private static DocumentHashes set(String... documents) {
    Set<DocumentKey> keys = new TreeSet<>();
    for (String id : documents) {
      keys.add(DocumentKey.of("prose", id));
    }
    return DocumentHashes.of(new TreeMap<>(Map.of("prose", keys))).get(0);
  }

  @ParameterizedTest
  @EnumSource
  void refusesAWorldThatCannotShareTheBatches(Language language) {
    WrittenStream written = written(language, "world", 1);
    assertFails(
        () -> open(language, written, Opening.ALONE.of(0, 3)),
        "InvalidWorldSize: world size 3 does not divide the 8 sequences of batch 1: ");
    assertFails(
        () -> open(language, written, Opening.ALONE.of(2, 2)),
        "InvalidWorldSize: rank must be in [0, world size), world size at least 1: rank 2 of 2");
  }

  @ParameterizedTest
  @EnumSource
  void tellsWhoComesTooLateTheOldestBatch(Language language) throws Exception {
    WrittenStream written = written(language, "late", 40);
    written.removeBefore(21);
    String gone =
        "BatchNoLongerRetained: batch 11 is no longer retained in sluice.stream."
            + written.run().name()
            + ": the oldest batch left is 21; resume from a later checkpoint, or keep the stream"
            + " for longer";
    try (TestingLoader stream = open(language, written)) {
      stream.seek(written.after(10));
      assertFails(stream::next, gone);
      stream.seekToBatch(21);
      assertThat(stream.next()).isEqualTo(batch(0, 21, 0, BATCH));
      stream.seek(written.after(10));
      assertFails(stream::next, gone);
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsWhoseBatchIsCutAndGoesOnWhereItIsNot(Language language) throws Exception {
    WrittenStream written = WrittenStream.create(kafka, name(language, "cut"), LONG, BATCH);
    written.write(40);
    try (TestingLoader stream = open(language, written, Opening.ALONE.withBufferBytes(1))) {
      assertThat(stream.next().batch()).isEqualTo(1);
      written.removeBefore(31);
      assertThatThrownBy(() -> readOn(stream))
          .isInstanceOf(Failure.class)
          .hasMessageStartingWith("BatchNoLongerRetained: batch ")
          .hasMessageEndingWith(
              "the oldest batch left is 31; resume from a later checkpoint, or keep the stream for"
                  + " longer");
      stream.seekToBatch(31);
      assertThat(stream.next().batch()).isEqualTo(31);
    }
  }

  private static void readOn(TestingLoader stream) {
    for (int batch = 2; batch <= 40; batch++) {
      stream.next();
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsOfARewindAndGoesOnUnderTheNewTimeline(Language language) {
    WrittenStream written = written(language, "rewound", 3);
    written.grantWritten();
    try (TestingLoader stream = open(language, written)) {
      for (int batch = 1; batch <= 3; batch++) {
        stream.next();
      }
      StreamState overtaken = stream.state();
      StreamState kept = written.after(1);
      written.rewind(1);
      written.write(3);
      written.grantWritten();
      String rewound = "Rewound: the run was rewound to batch 1 and goes on as timeline 1 ";
      assertFails(stream::next, rewound);
      assertFails(() -> stream.seek(overtaken), rewound);
      stream.seek(kept);
      for (int batch = 2; batch <= 4; batch++) {
        assertThat(stream.next()).isEqualTo(batch(1, batch, 0, BATCH));
        assertThat(stream.state()).isEqualTo(written.after(batch));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void beginsAForkAtItsBatchAndTakesAStateOfItsOriginOfThatBatchAlone(Language language) {
    WrittenStream origin = written(language, "origin", 2);
    origin.grantWritten();
    WrittenStream fork = origin.fork(name(language, "fork"), 2);
    fork.write(2);
    try (TestingLoader stream = open(language, fork)) {
      assertThat(stream.state()).isEqualTo(fork.after(2));
      assertThat(stream.next()).isEqualTo(batch(0, 3, 0, BATCH));
      stream.seek(origin.after(2));
      assertThat(stream.next()).isEqualTo(batch(0, 3, 0, BATCH));
      assertThat(stream.state()).isEqualTo(fork.after(3));
      assertFails(
          () -> stream.seek(origin.after(1)),
          "InvalidState: run "
              + fork.run().runId()
              + " continues run "
              + origin.run().runId()
              + " after batch 2 of timeline 0: resume from a checkpoint of exactly that batch, ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void endsWithTheRun(Language language) {
    WrittenStream written = written(language, "ended", 2);
    written.grantWritten();
    written.end("stopped", "enough");
    try (TestingLoader stream = open(language, written)) {
      stream.next();
      stream.next();
      assertFails(
          stream::next,
          "RunEnded: run "
              + written.run().runId()
              + " is stopped (enough): batch 2 was the last one handed out");
    }
  }

  @ParameterizedTest
  @EnumSource
  void hasNothingOfARunThatIsDeleted(Language language) throws Exception {
    WrittenStream written = written(language, "deleted", 2);
    written.grantWritten();
    written.end("deleted", "");
    written.delete();
    assertFails(
        () -> {
          try (TestingLoader stream = open(language, written)) {
            stream.next();
          }
        },
        "StreamMissing: ");
  }

  @ParameterizedTest
  @EnumSource
  void refusesAHeaderThatNobodyCanRead(Language language) {
    WrittenStream written = written(language, "damaged", 1);
    try (TestingLoader stream = open(language, written)) {
      assertThat(stream.next()).isEqualTo(batch(0, 1, 0, BATCH));
      written.writeDamaged();
      assertFails(
          stream::next,
          "WireFormat: stream header must be 53 bytes of version 1: found 2 bytes of version 2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tellsTheOlderHolderOfARankWhoTookIt(Language language) {
    assertTellsWhoTookARank(language, written(language, "taken", 2));
  }

  @ParameterizedTest
  @EnumSource
  void tellsItWhereAnEarlierReleaseMadeTheTopics(Language language) throws Exception {
    WrittenStream written = written(language, "taken-before", 2);
    assertTellsWhoTookARank(language, written.withFeedbackOfAnEarlierRelease());
  }

  private static void assertTellsWhoTookARank(Language language, WrittenStream written) {
    Opening first = Opening.ALONE.of(1, 2).attaching();
    try (TestingLoader older = open(language, written, first);
        TestingLoader peer = open(language, written, first.withReplica(1))) {
      assertThat(older.next()).isEqualTo(peer.next());
      try (TestingLoader newer = open(language, written, first)) {
        assertThat(newer.next()).isEqualTo(batch(0, 1, 4, 8));
        assertFails(
            () -> {
              while (true) {
                older.next();
              }
            },
            "RankTaken: rank 1 of 2 of run " + written.run().runId() + " was taken by process ");
        assertThat(newer.next()).isEqualTo(batch(0, 2, 4, 8));
        assertThat(peer.next()).isEqualTo(batch(0, 2, 4, 8));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void namesTheRunsThatThereAreWhenOneIsNot(Language language) {
    written(language, "known", 0);
    assertThatThrownBy(() -> client(language).open("unknown", Opening.ALONE))
        .isInstanceOf(Failure.class)
        .hasMessageStartingWith("UnknownRun: no run 'unknown' was started within ")
        .hasMessageContaining(name(language, "known"));
  }

  private static void assertFails(ThrowingCallable call, String start) {
    assertThatThrownBy(call).isInstanceOf(Failure.class).hasMessageStartingWith(start);
  }

  /** Rows from one of the batch on to another. */
  private static Batch batch(int timeline, long batch, int from, int to) {
    long first = (batch - 1) * BATCH;
    List<String> rows =
        LongStream.range(first + from, first + to)
            .mapToObj(index -> index + " prose " + (1000L * timeline + index))
            .toList();
    return new Batch(batch, timeline, rows);
  }

  private static WrittenStream written(Language language, String name, int batches) {
    WrittenStream written = WrittenStream.create(kafka, name(language, name), 32, BATCH);
    written.write(batches);
    return written;
  }

  private static String name(Language language, String name) {
    return name + "-" + language.name().toLowerCase(Locale.ROOT);
  }

  private static TestingLoader open(Language language, WrittenStream written) {
    return open(language, written, Opening.ALONE);
  }

  private static TestingLoader open(Language language, WrittenStream written, Opening opening) {
    return client(language).open(written.run().name(), opening);
  }

  private static TestingClient client(Language language) {
    return CLIENTS.computeIfAbsent(language, ClientContractIT::start);
  }

  private static TestingClient start(Language language) {
    if (language == Language.JAVA) {
      return new JavaClient(kafka);
    }
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    try {
      return new PythonClient(kafka);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
