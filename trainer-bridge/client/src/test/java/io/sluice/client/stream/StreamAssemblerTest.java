package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.client.block.BlockReader;
import io.sluice.client.block.Tokens;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamGapException;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.ChainHash;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.segment.BatchDigest;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class StreamAssemblerTest {
  private static final int[] SIZES = {8, 8, 8, 3, 3, 1, 1, 8, 13, 13, 13, 2};

  private final TestingStream stream = new TestingStream(4, SIZES);

  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesEveryBatchOnceAndInOrderWhateverTheWritersRepeatOrLeaveOut(long seed) {
    FaultyWriters writers = new FaultyWriters(stream, seed);
    List<GlobalBatch> batches = new ArrayList<>();
    StreamAssembler assembler = assembler(start());
    read(writers, assembler, new Random(seed), batches, Integer.MAX_VALUE);
    assertIsWholeStream(batches);
    assertThat(assembler.bufferedBytes()).isZero();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void restoredFromItsStateEqualsNeverHavingStopped(long seed) {
    FaultyWriters writers = new FaultyWriters(stream, seed);
    Random random = new Random(seed);
    List<GlobalBatch> batches = new ArrayList<>();
    StreamState state = start();
    while (batches.size() < SIZES.length) {
      StreamAssembler assembler = assembler(StreamState.parse(state.toJson()));
      read(writers, assembler, random, batches, 1 + random.nextInt(4));
      state = assembler.state();
    }
    assertIsWholeStream(batches);
  }

  /** Reads the partitions in a random interleaving until so many batches were taken. */
  private static void read(
      FaultyWriters writers,
      StreamAssembler assembler,
      Random random,
      List<GlobalBatch> batches,
      int limit) {
    int[] offsets = new int[4];
    List<Integer> unread = new ArrayList<>(List.of(0, 1, 2, 3));
    for (int p = 0; p < offsets.length; p++) {
      offsets[p] = writers.seek(p, assembler.lastBatch() + 1);
    }
    int taken = 0;
    while (taken < limit && !(unread.isEmpty() && !assembler.hasNext())) {
      Optional<GlobalBatch> batch = assembler.take();
      if (batch.isPresent()) {
        batches.add(batch.get());
        taken++;
      } else {
        int p = unread.get(random.nextInt(unread.size()));
        if (offsets[p] == writers.partition(p).size()) {
          unread.remove((Integer) p);
        } else {
          offer(assembler, writers.partition(p).get(offsets[p]++));
        }
      }
    }
  }

  private void assertIsWholeStream(List<GlobalBatch> batches) {
    assertThat(batches).hasSize(SIZES.length);
    List<byte[]> values = new ArrayList<>();
    long first = 0;
    for (int b = 0; b < SIZES.length; b++) {
      GlobalBatch batch = batches.get(b);
      assertThat(batch.batch()).isEqualTo(b + 1);
      assertThat(batch.firstIndex()).isEqualTo(first);
      assertThat(batch.sequences()).hasSize(SIZES[b]);
      assertThat(batch.digest()).isEqualTo(digest(batch));
      batch.sequences().forEach(sequence -> values.add(sequence.encodedBlock()));
      first += SIZES[b];
    }
    assertThat(values)
        .containsExactlyElementsOf(
            stream.sequences().stream().map(TestingStream.Sequence::value).toList());
  }

  private static long digest(GlobalBatch batch) {
    RowFormat format = new RowFormat(TestingStream.SEQUENCE_LENGTH + 1, 2);
    RowHash hash = new RowHash(format);
    return BatchDigest.of(
        batch.firstIndex(),
        batch.sequences().stream()
            .mapToLong(each -> hash.of(format.row(each.packedTokens()), 0))
            .toArray());
  }

  @Test
  void awaitsTheFirstMissingSequence() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0, 1, 3);
    assertThat(assembler.awaited()).isEqualTo(new StreamAssembler.Awaited(1, 2, 2));
    assertThat(assembler.awaits(2)).isTrue();
    assertThat(assembler.awaits(0)).isTrue();
    offer(assembler, 4);
    assertThat(assembler.awaits(0)).isFalse();
  }

  @Test
  void reportsAGapOnlyAfterReadingOnForTheSetTime() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0, 1, 3, 6);
    assembler.readFor(Duration.ofSeconds(59).toNanos());
    assembler.checkGaps(Duration.ofMinutes(1));
    assembler.readFor(Duration.ofSeconds(2).toNanos());
    assertThatThrownBy(() -> assembler.checkGaps(Duration.ofMinutes(1)))
        .isInstanceOfSatisfying(
            StreamGapException.class,
            gap -> {
              assertThat(gap.index()).isEqualTo(2);
              assertThat(gap.partition()).isEqualTo(2);
              assertThat(gap.since()).isEqualTo(Duration.ofSeconds(61));
            })
        .hasMessage(
            "sequence 2 is missing from stream partition 2: later ones, up to 6, have been read"
                + " for 61 s");
  }

  @Test
  void forgetsAGapThatWasFilledBehind() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0, 1, 3, 6);
    assembler.readFor(Duration.ofSeconds(59).toNanos());
    offer(assembler, 2, 6);
    assembler.readFor(Duration.ofSeconds(59).toNanos());
    assembler.checkGaps(Duration.ofMinutes(1));
    offer(assembler, 4, 5, 7);
    assertThat(assembler.take()).isPresent();
  }

  @Test
  void doesNotReportAGapThatTheNextBatchDoesNotWaitFor() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0, 4, 12);
    assembler.readFor(Duration.ofHours(1).toNanos());
    assembler.checkGaps(Duration.ofMinutes(1));
    assertThat(assembler.awaited().index()).isEqualTo(1);
  }

  @Test
  void stopsAtANewerTimelineAndDropsAnOlderOne() {
    StreamHeader old = stream.sequence(0).header();
    StreamAssembler later =
        assembler(
            start(),
            Timelines.startingAfter(0, 0, ChainHash.START).opening(1, 0, 0),
            new BlockReader(stream.run()));
    later.offer(0, old, ByteBuffer.wrap(stream.sequence(0).value()));
    assertThat(later.expected(0)).isZero();

    StreamHeader rewound = new StreamHeader(2, 7, 48, 8, 48, 1, 0, 0);
    assertThatThrownBy(() -> later.offer(0, rewound, ByteBuffer.allocate(0)))
        .isInstanceOf(RewoundException.class)
        .hasMessage(
            "the run was rewound to batch 6 and goes on as timeline 2 (this reader follows timeline"
                + " 1): resume from a checkpoint at or before batch 6");
  }

  @Test
  void namesPartitionIndexAndBothValuesWhenTheChainDiffers() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0);
    TestingStream.Sequence other = stream.sequence(5);
    StreamHeader claimed = stream.sequence(4).header();
    assertThatThrownBy(() -> assembler.offer(0, claimed, ByteBuffer.wrap(other.value())))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageStartingWith(
            "stream partition 0, sequence 4: the chain hash is "
                + Long.toHexString(claimed.chain())
                + " but these blocks give ");
  }

  @Test
  void takesTheFirstChainHashAfterASeek() {
    StreamAssembler assembler = assembler(new StreamState("r-1", 0, 1, 8));
    offer(assembler, 8, 9, 10, 11, 12, 13, 14, 15);
    assertThat(assembler.take().orElseThrow().batch()).isEqualTo(2);
    StreamHeader wrong = withChain(stream.sequence(16).header(), 99);
    assertThatThrownBy(
            () -> assembler.offer(0, wrong, ByteBuffer.wrap(stream.sequence(16).value())))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageContaining("chain hash is 63 but");
  }

  @Test
  void handsOnABlockThatCannotBeUsedAsMaskedAndCountsIt() {
    BlockReader blocks = new BlockReader(stream.run());
    StreamAssembler assembler =
        assembler(start(), Timelines.startingAfter(0, 0, ChainHash.START), blocks);
    for (int i = 0; i < 8; i++) {
      TestingStream.Sequence s = stream.sequence(i);
      byte[] value = i == 5 ? new byte[] {1, 2, 3} : s.value();
      assembler.offer(s.partition(), s.header(), ByteBuffer.wrap(value));
    }
    offer(assembler, 9);
    GlobalBatch batch = assembler.take().orElseThrow();
    assertThat(blocks.undecodable()).isEqualTo(1);
    assertThat(batch.sequences().get(5).block().getTrainedTokens()).isZero();
    assertThat(Tokens.of(batch.sequences().get(5).block())).hasSize(5).containsOnly(0);
    assertThat(Tokens.trained(batch.sequences().get(5).block())).hasSize(4).containsOnly(false);
    assertThat(batch.sequences().get(4).block().getTrainedTokens()).isEqualTo(4);
  }

  @Test
  void refusesAVersionThatGoesBack() {
    StreamAssembler assembler = assembler(start());
    for (int i = 0; i < 16; i++) {
      TestingStream.Sequence s = stream.sequence(i);
      StreamHeader h = s.header();
      int version = h.batch() == 1 ? 3 : 2;
      StreamHeader changed =
          new StreamHeader(
              h.timeline(),
              h.batch(),
              h.firstIndex(),
              h.batchSize(),
              h.index(),
              version,
              h.ordinal(),
              h.chain());
      assembler.offer(s.partition(), changed, ByteBuffer.wrap(s.value()));
    }
    assertThat(assembler.take().orElseThrow().weightsVersion()).isEqualTo(3);
    assertThatThrownBy(assembler::take)
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("weights version of batch 2 must be at least 3, the batch before has it: 2");
  }

  @Test
  void refusesAHeaderThatContradictsItsBatch() {
    StreamAssembler assembler = assembler(start());
    offer(assembler, 0);
    StreamHeader h = stream.sequence(1).header();
    StreamHeader otherVersion =
        new StreamHeader(0, 1, 0, h.batchSize(), 1, 2, h.ordinal(), h.chain());
    assertThatThrownBy(
            () -> assembler.offer(1, otherVersion, ByteBuffer.wrap(stream.sequence(1).value())))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageContaining("contradicts batch 1 (sequences 0 to 7, weights version 1)");

    StreamHeader elsewhere = new StreamHeader(0, 1, 1, 8, 1, 1, h.ordinal(), h.chain());
    StreamAssembler fresh = assembler(start());
    assertThatThrownBy(() -> fresh.offer(1, elsewhere, ByteBuffer.wrap(stream.sequence(1).value())))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageStartingWith("stream partition 1, sequence 1: ")
        .hasMessageEndingWith(" contradicts batch 1 starting at sequence 0");
  }

  private StreamAssembler assembler(StreamState state) {
    return assembler(
        state, Timelines.startingAfter(0, 0, ChainHash.START), new BlockReader(stream.run()));
  }

  private static StreamAssembler assembler(
      StreamState state, Timelines timelines, BlockReader blocks) {
    return new StreamAssembler(
        state, timelines, 4, blocks, TrainerRank.single(), List.of(0, 1, 2, 3));
  }

  private static StreamState start() {
    return StreamState.start("r-1");
  }

  private void offer(StreamAssembler assembler, int... indices) {
    for (int index : indices) {
      offer(assembler, stream.sequence(index));
    }
  }

  private static void offer(StreamAssembler assembler, TestingStream.Sequence sequence) {
    assembler.offer(sequence.partition(), sequence.header(), ByteBuffer.wrap(sequence.value()));
  }

  private static StreamHeader withChain(StreamHeader h, long chain) {
    return new StreamHeader(
        h.timeline(),
        h.batch(),
        h.firstIndex(),
        h.batchSize(),
        h.index(),
        h.weightsVersion(),
        h.ordinal(),
        chain);
  }
}
