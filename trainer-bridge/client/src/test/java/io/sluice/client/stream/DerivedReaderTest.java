package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.error.InvalidWorldSizeException;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.RunEndedException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.run.WaitCause;
import io.sluice.client.wait.SupplyQuestion;
import io.sluice.schema.StreamHeader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches that are derived, next to those of a stream that has the same run. */
final class DerivedReaderTest {
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final StreamOptions OPTIONS = StreamOptions.defaults().observing();

  @TempDir private Path folder;

  private TestingDeliveries run(long seed) {
    return new TestingDeliveries(folder, seed);
  }

  private static TestingDeliveries sealed(TestingDeliveries run) {
    run.seal(0, Integer.MAX_VALUE);
    return run;
  }

  private static StreamOptions rank(int rank, int world) {
    return OPTIONS.withRank(TrainerRank.of(rank, world));
  }

  /**
   * All that a trainer is given but the chain of a stream and what a block's documents are called.
   */
  private static List<String> told(GlobalBatch batch) {
    List<String> told = new ArrayList<>();
    for (Sequence row : batch.sequences()) {
      StreamHeader h = row.header();
      told.add(
          List.of(
                  batch.timeline(),
                  batch.batch(),
                  batch.firstIndex(),
                  batch.size(),
                  batch.weightsVersion(),
                  batch.digest(),
                  new StreamHeader(
                      h.timeline(),
                      h.batch(),
                      h.firstIndex(),
                      h.batchSize(),
                      h.index(),
                      h.weightsVersion(),
                      h.ordinal(),
                      0),
                  row.domain(),
                  row.block().getLane(),
                  row.block().getOrdinal(),
                  row.block().getTrainedTokens(),
                  Arrays.toString(Tokens.of(row.block())),
                  Arrays.toString(Tokens.decode(row.packedTokens(), row.tokenWidth())),
                  row.producedAtMillis(),
                  Arrays.toString(row.documentLengths()),
                  Arrays.toString(row.trained()))
              .toString());
    }
    return told;
  }

  private static Loader loader(TestingDeliveries run, BatchReader reader, StreamOptions options) {
    return new Loader(
        run.run, options, reader, Optional.empty(), new SupplyQuestion(Optional::empty));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void isWhatTheStreamHas(long seed) {
    TestingDeliveries run = sealed(run(seed));
    Random random = new Random(seed);
    for (int i = 0; i < 6; i++) {
      run.grant(1 + random.nextInt(4));
      if (random.nextInt(3) == 0) {
        run.revise();
      }
      if (random.nextInt(3) == 0) {
        long first = run.firstBatch();
        run.rewind(first - 1 + random.nextInt((int) (run.granted() - first + 2)));
      }
    }
    run.grant(6);
    run.end("completed");
    for (int world : new int[] {1, 3, 8}) {
      for (int rank = 0; rank < world; rank++) {
        StreamOptions options = rank(rank, world);
        StreamState start = StreamState.start("r-1");
        try (Loader stream = loader(run, run.streamed(options), options);
            Loader derived = loader(run, run.derived(options), options)) {
          stream.seek(start);
          derived.seek(start);
          for (long batch = run.firstBatch(); batch <= run.granted(); batch++) {
            assertThat(told(derived.next(WAIT))).isEqualTo(told(stream.next(WAIT)));
            assertThat(derived.state()).isEqualTo(stream.state());
          }
          assertThatThrownBy(() -> derived.next(WAIT)).isInstanceOf(RunEndedException.class);
          if (world == 1) { // the stream has those of other ranks, too
            assertThat(derived.undecodable()).isEqualTo(stream.undecodable()).isPositive();
          }
          long back = run.firstBatch() + random.nextInt(4);
          stream.seekToBatch(back);
          derived.seekToBatch(back);
          assertThat(told(derived.next(WAIT))).isEqualTo(told(stream.next(WAIT)));
          StreamState state = stream.state();
          derived.seek(state);
          assertThat(told(derived.next(WAIT))).isEqualTo(told(stream.next(WAIT)));
        }
      }
    }
  }

  @Test
  void waitsForWhatIsNotGrantedAndForWhatIsNotSealed() {
    TestingDeliveries run = run(2);
    run.seal(0, 20);
    try (DerivedReader reader = run.derived(OPTIONS)) {
      reader.awaited(true);
      long first = run.firstBatch();
      assertThatThrownBy(() -> reader.next(Duration.ofSeconds(1)))
          .isInstanceOf(StreamStalledException.class)
          .hasMessage(
              "batch %d did not come within 1 s: batch %d is not granted yet: the last grant ends at batch %d"
                  .formatted(first, first, first - 1));
      assertThat(reader.lastCause()).isEqualTo(WaitCause.GRANT);
      run.control.beforePoll(() -> run.grant(9));
      long batch = first;
      assertThat(reader.next(WAIT).batch()).isEqualTo(batch++);
      StreamStalledException stalled = null;
      while (stalled == null) {
        try {
          assertThat(reader.next(Duration.ofSeconds(1)).batch()).isEqualTo(batch++);
        } catch (StreamStalledException e) {
          stalled = e;
        }
      }
      assertThat(stalled)
          .hasMessageMatching(
              "batch %d did not come within 1 s: batch %d is granted \\(to %d\\) but block \\d+ of domain \\w+, lane \\d, is not sealed: \\d+ of the lane's are"
                  .formatted(batch, batch, run.granted()));
      assertThat(reader.lastCause()).isEqualTo(WaitCause.EMISSION);
      run.seal(20, Integer.MAX_VALUE);
      while (batch <= run.granted()) {
        assertThat(reader.next(WAIT).batch()).isEqualTo(batch++);
      }
    }
  }

  @Test
  void aBatchThatComesWhileItIsAwaitedIsThereAtOnce() {
    TestingDeliveries run = sealed(run(3));
    try (DerivedReader reader = run.derived(OPTIONS)) {
      reader.awaited(true);
      run.control.beforePoll(() -> {});
      run.control.beforePoll(() -> run.grant(1));
      long before = run.control.nanoTime();
      assertThat(reader.next(WAIT).batch()).isEqualTo(run.firstBatch());
      assertThat(run.control.nanoTime() - before).isLessThan(Duration.ofSeconds(1).toNanos());
    }
  }

  @Test
  void aRewindEndsTheReadingAndTheReaderGoesOnFromTheBatchBefore() {
    TestingDeliveries run = sealed(run(4));
    run.grant(9);
    long first = run.firstBatch();
    try (DerivedReader reader = run.derived(OPTIONS)) {
      for (long batch = first; batch <= first + 5; batch++) {
        reader.next(WAIT);
      }
      run.rewind(first + 2);
      run.grant(8);
      assertThatThrownBy(reader::follow)
          .isInstanceOf(RewoundException.class)
          .hasMessageContaining(String.valueOf(first + 2));
      reader.seekToBatch(first + 3);
      for (long batch = first + 3; batch <= run.granted(); batch++) {
        assertThat(reader.next(WAIT).timeline()).isEqualTo(1);
      }
    }
  }

  @Test
  void aRewindIsNoticedWhileThereAreBatchesThatWereGrantedBefore() {
    TestingDeliveries run = sealed(run(9));
    run.grant(30);
    long first = run.firstBatch();
    try (DerivedReader reader = run.derived(OPTIONS)) {
      reader.next(WAIT);
      run.rewind(first + 2);
      run.control.pass(OPTIONS.statusInterval().minusNanos(1));
      assertThat(reader.next(WAIT).batch()).isEqualTo(first + 1);
      run.control.pass(Duration.ofNanos(1));
      assertThat(reader.next(WAIT).batch()).isEqualTo(first + 2);
      assertThatThrownBy(() -> reader.next(WAIT)).isInstanceOf(RewoundException.class);
    }
  }

  @Test
  void aRewindIsNoticedThoughItGrantsTheSameBatchAgain() {
    TestingDeliveries run = sealed(run(5));
    run.grant(4);
    try (DerivedReader reader = run.derived(OPTIONS)) {
      for (int i = 0; i < 4; i++) {
        reader.next(WAIT);
      }
      run.control.beforePoll(
          () -> {
            run.rewind(run.granted() - 2);
            run.grant(6);
          });
      assertThatThrownBy(() -> reader.next(WAIT)).isInstanceOf(RewoundException.class);
    }
  }

  @Test
  void whatIsGrantedIsThereAfterTheRunHasEnded() {
    for (String state : List.of("stopped", "failed")) {
      TestingDeliveries run = sealed(run(6));
      run.grant(3);
      run.end(state);
      try (DerivedReader reader = run.derived(OPTIONS)) {
        for (int i = 0; i < 3; i++) {
          reader.next(WAIT);
        }
        assertThatThrownBy(() -> reader.next(WAIT))
            .isInstanceOf(RunEndedException.class)
            .hasMessageContaining("is " + state + " (a test)");
      }
    }
  }

  @Test
  void ranksMustDivideTheBatches() {
    TestingDeliveries run = run(8);
    StreamOptions five = rank(0, 5);
    assertThatThrownBy(() -> run.derived(five)).isInstanceOf(InvalidWorldSizeException.class);
  }
}
