package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.PackedDocuments;
import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.claim.ClaimKeeper;
import io.sluice.client.claim.RankClaim;
import io.sluice.client.claim.TestingClaims;
import io.sluice.client.error.RankTakenException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.error.TokenizerMismatchException;
import io.sluice.client.feedback.Measurement;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.wait.SupplyQuestion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoaderTest {
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final int[] SIZES = {4, 4, 8, 8, 8, 4, 12, 12, 4, 4, 4, 8, 8, 8, 4, 4, 4, 4, 4, 4};

  private final TestingStream written = new TestingStream(3, SIZES);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(7);
  private final TestingConsumer<byte[]> control =
      TestingReaders.log(List.of(TestingLog.started(written.run())));

  private TestingConsumer<ByteBuffer> opened = topic;

  LoaderTest() {
    topic.create(TestingReaders.STREAM, 3);
  }

  /** Kills: what was handed out since the last checkpoint is lost, and read again. */
  @Test
  void killedFiftyTimesItReadsWhatItWouldHaveRead() {
    FaultyWriters writers = new FaultyWriters(written, 5);
    for (int p = 0; p < 3; p++) {
      writers.partition(p).forEach(each -> topic.append(TestingReaders.STREAM, each));
    }
    Random random = new Random(11);
    List<String> trained = new ArrayList<>();
    StreamState checkpoint = StreamState.start("r-1");
    int kept = 0;
    for (int kill = 0; kill < 50 || checkpoint.batch() < SIZES.length; kill++) {
      trained.subList(kept, trained.size()).clear();
      try (Loader stream = open(StreamOptions.defaults())) {
        stream.seek(StreamState.parse(checkpoint.toJson()));
        int steps = random.nextInt(4);
        for (int i = 0; i < steps && stream.state().batch() < SIZES.length; i++) {
          GlobalBatch batch = stream.next(WAIT);
          assertThat(stream.waits()).isFalse();
          batch.sequences().forEach(each -> trained.add(batch.batch() + " " + each.index()));
          if (kill >= 45 || random.nextInt(8) == 0) {
            checkpoint = stream.state();
            kept = trained.size();
          }
        }
      }
    }
    List<String> uninterrupted = new ArrayList<>();
    written
        .sequences()
        .forEach(each -> uninterrupted.add(each.header().batch() + " " + each.index()));
    assertThat(trained).isEqualTo(uninterrupted);
  }

  @Test
  void goesToABatchWhileItReadsAhead() {
    write();
    try (Loader stream = open(StreamOptions.defaults())) {
      assertThat(stream.next(WAIT).batch()).isEqualTo(1);
      StreamState state = stream.state();
      stream.seekToBatch(7);
      assertThat(stream.next(WAIT).batch()).isEqualTo(7);
      stream.seek(state);
      assertThat(stream.next(WAIT).batch()).isEqualTo(2);
      assertThat(stream.timelineOf(2)).isZero();
      assertThat(stream.run()).isEqualTo(written.run());
    }
    assertThat(opened.wasClosed()).isTrue();
  }

  @Test
  void whatEndsTheThreadThatReadsAheadReachesTheTrainingLoop() {
    write();
    try (Loader stream = open(StreamOptions.defaults().withBufferBytes(0))) {
      opened.beforePoll(
          () -> {
            throw new OutOfMemoryError("Java heap space");
          });
      for (int asked = 0; asked < 2; asked++) {
        assertThatThrownBy(() -> readToTheEnd(stream))
            .isInstanceOf(OutOfMemoryError.class)
            .hasMessage("Java heap space");
      }
    }
  }

  private static void readToTheEnd(Loader stream) {
    while (stream.state().batch() < SIZES.length) {
      stream.next(WAIT);
    }
  }

  @Test
  void readsAheadOnlyAsFarAsItsBudget() {
    write();
    try (Loader stream = open(StreamOptions.defaults().withBufferBytes(0))) {
      for (int batch = 1; batch <= SIZES.length; batch++) {
        assertThat(stream.next(WAIT).batch()).isEqualTo(batch);
      }
    }
    assertThat(opened.wasClosed()).isTrue();
  }

  @Test
  void handsOutWhatWasReadBeforeAnError() {
    write();
    topic.append(TestingReaders.STREAM, 0, 99, new byte[] {1}, new RecordHeaders());
    try (Loader stream = open(StreamOptions.defaults())) {
      List<Long> batches = new ArrayList<>();
      StreamCorruptException first =
          catchThrowableOfType(
              StreamCorruptException.class,
              () -> {
                while (true) {
                  batches.add(stream.next(WAIT).batch());
                }
              });
      assertThat(batches).isEqualTo(LongStream.rangeClosed(1, batches.size()).boxed().toList());
      assertThat(first).hasMessageEndingWith("the record has no header 'sluice'");
      assertThatThrownBy(() -> stream.next(WAIT)).isSameAs(first);
    }
    assertThat(opened.wasClosed()).isTrue();
  }

  @Test
  void saysWhatItWaitsForAndEndsOnAnInterrupt() {
    try (Loader stream = open(StreamOptions.defaults())) {
      assertThatThrownBy(() -> stream.next(Duration.ZERO))
          .isInstanceOf(StreamStalledException.class)
          .hasMessageStartingWith(
              "batch 1 did not come within 0 s: sequence 0 of stream partition 0 is awaited; ");
      assertThat(stream.waits()).isTrue();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> stream.next(WAIT)).isInstanceOf(InterruptException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void endsWhenAnotherProcessTakesTheRank() {
    write();
    TestingClaims claims = new TestingClaims();
    try (Loader stream = open(StreamOptions.defaults(), Optional.of(keeper(claims)))) {
      stream.seek(StreamState.start("r-1"));
      stream.next(WAIT);
      keeper(claims).attach(StreamState.start("r-1"));
      assertThatThrownBy(
              () -> {
                while (true) {
                  stream.next(WAIT);
                }
              })
          .isInstanceOf(RankTakenException.class)
          .hasMessageContaining("rank 0 of 1 of run r-1 was taken by process ");
    }
  }

  @ParameterizedTest
  @CsvSource({"completed, true", "stopped, true", "failed, false", "deleted, false"})
  void itsBatchesEndWithTheRunAndThrowWhenThatIsLost(String state, boolean inOrder) {
    write();
    TestingReaders.append(control, TestingLog.state("r-1", 1, 0, state, "a test"));
    List<Long> trained = new ArrayList<>();
    try (Loader stream = open(StreamOptions.defaults())) {
      ThrowingCallable loop =
          () -> {
            for (GlobalBatch batch : stream.batches(WAIT)) {
              assertThat(stream.state().batch()).isEqualTo(batch.batch());
              trained.add(batch.batch());
            }
          };
      if (inOrder) {
        assertThatCode(loop).doesNotThrowAnyException();
      } else {
        assertThatThrownBy(loop)
            .isInstanceOf(RunEndedException.class)
            .hasMessageContaining("is " + state + " (a test)");
      }
      assertThat(stream.waits()).isFalse();
    }
    assertThat(trained).isEqualTo(LongStream.rangeClosed(1, SIZES.length).boxed().toList());
  }

  @Test
  void copiesTokensFromWhereTheyWereFetched() {
    write();
    try (Loader stream = open(StreamOptions.defaults())) {
      GlobalBatch batch = stream.next(WAIT);
      ByteBuffer target =
          ByteBuffer.allocateDirect(batch.tokenBytes()).order(ByteOrder.LITTLE_ENDIAN);
      batch.writeTokens(target);
      target.flip();
      for (Sequence row : batch.sequences()) {
        for (int token : Tokens.of(row.block())) {
          assertThat(target.getShort() & 0xFFFF).isEqualTo(token);
        }
        assertThat(row.domain()).isEqualTo(row.block().getDomain());
        assertThat(row.trained()).isEqualTo(Tokens.trained(row.block()));
      }
      assertThat(target.remaining()).isZero();
      assertThat(batch.microBatches(3)).extracting(List::size).containsExactly(3, 1);
      assertThat(batch.documents().sequenceLengths()).containsExactly(2, 2, 2, 2, 2, 2, 2, 2);
      assertThatThrownBy(() -> batch.microBatches(0)).hasMessage("rows must be at least 1: 0");
    }
  }

  @Test
  void packedDocumentsFollowTheSharedVectors() throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode vectors =
        json.readTree(
            Path.of("../../schemas/src/test/resources/vectors/packed-documents.json").toFile());
    for (JsonNode vector : vectors) {
      PackedDocuments packed =
          PackedDocuments.of(json.convertValue(vector.get("documentLengths"), int[][].class));
      assertThat(packed.sequenceLengths())
          .containsExactly(json.convertValue(vector.get("sequenceLengths"), int[].class));
      assertThat(packed.cumulativeLengths())
          .containsExactly(json.convertValue(vector.get("cumulativeLengths"), int[].class));
      assertThat(packed.positions())
          .isDeepEqualTo(json.convertValue(vector.get("positions"), int[][].class));
    }
  }

  @Test
  void namesATokenizerThatTheModelDoesNotKnow() {
    written.run().requireVocabulary(1 << 16);
    assertThatThrownBy(() -> written.run().requireVocabulary(50_257))
        .isInstanceOf(TokenizerMismatchException.class)
        .hasMessage(
            "the model's vocabulary of 50257 is smaller than the 65536 of run r-1's tokenizer"
                + " 'bytes': train with that tokenizer, or apply a dataset that is prepared with the"
                + " model's");
  }

  private Loader open(StreamOptions options) {
    return open(options, Optional.empty());
  }

  private Loader open(StreamOptions options, Optional<ClaimKeeper> claim) {
    opened = topic.again();
    StreamReader reader =
        TestingReaders.open(
            written.run(),
            TestingReaders.STREAM,
            opened,
            control.again(),
            options.withStatusInterval(Duration.ofMillis(500)));
    Loader stream =
        new Loader(written.run(), options, reader, claim, new SupplyQuestion(Optional::empty));
    stream.seek(StreamState.start("r-1"));
    return stream;
  }

  private static ClaimKeeper keeper(TestingClaims claims) {
    return new ClaimKeeper(
        new RankClaim(
            "r-1",
            TrainerRank.single(),
            Set.of(Measurement.EVAL_LOSS),
            claims.open(),
            InstantSource.system()));
  }

  private void write() {
    written.sequences().forEach(each -> topic.append(TestingReaders.STREAM, each));
  }
}
