package io.sluice.jobs.mix.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ChainHash;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints of every version so far can be read: the bytes of each are kept as resources. */
final class SerializersTest {
  private static final StreamReach REACH =
      new StreamReach(new long[] {700, 0, 701, 0}, new long[] {5, -1, 6, -1});

  private static final MixSplit SPLIT = split(0xC4A1L, -99L, new Pace(20, 2.5)).reaching(REACH);

  /** As earlier builds knew it, by version. */
  private static final List<MixSplit> KNOWN =
      List.of(
          split(ChainHash.START, null),
          split(0xC4A1L, null),
          split(0xC4A1L, null).reaching(REACH),
          split(0xC4A1L, -99L, Pace.FREE).reaching(REACH),
          SPLIT);

  private static MixSplit split(long chainStart, @Nullable Long digest) {
    return split(chainStart, digest, Pace.FREE);
  }

  private static MixSplit split(long chainStart, @Nullable Long digest, Pace pace) {
    return new MixSplit(
        "velo-7b-x1",
        0,
        2,
        new RunLayout(
            "velo-7b",
            "topic-id",
            "data",
            -77,
            List.of("java", "prose"),
            4,
            2,
            1L << 40,
            chainStart,
            pace),
        new SplitCursor(
            new LogPosition("velo-7b-x1", 1, 12, 3_456, 400, digest),
            RunPhase.PAUSED,
            389,
            17,
            199_185,
            new long[] {150_000, 49_185},
            new long[] {149_999, 49_180, 149_998, 49_181},
            new long[] {SplitCursor.GROWING, 20_000},
            new long[] {1, -2, Long.MIN_VALUE, 4}));
  }

  private static final EnumeratorState STATE =
      new EnumeratorState(
          Map.of(0, 77L, 1, 5L), List.of(SPLIT), Set.of("a/0", "b/0"), Set.of("c/0"));

  private final MixSplitSerializer splits = new MixSplitSerializer();
  private final EnumeratorStateSerializer states = new EnumeratorStateSerializer();

  private static byte[] kept(String name) throws IOException {
    try (InputStream in = SerializersTest.class.getResourceAsStream(name)) {
      return HexFormat.of()
          .parseHex(
              new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII)
                  .strip());
    }
  }

  private static void assertSame(MixSplit actual, MixSplit expected) {
    assertThat(actual).usingRecursiveComparison().ignoringCollectionOrder().isEqualTo(expected);
  }

  @Test
  void splitsComeBack() throws Exception {
    assertSame(splits.deserialize(splits.getVersion(), splits.serialize(SPLIT)), SPLIT);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void splitsOfEveryVersionAreRead(int version) throws Exception {
    assertSame(
        splits.deserialize(version, kept("mix-split-v" + version + ".hex")),
        KNOWN.get(version - 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void enumeratorStatesOfEveryVersionAreRead(int version) throws Exception {
    EnumeratorState read =
        states.deserialize(version, kept("enumerator-state-v" + version + ".hex"));
    assertThat(read.controlOffsets()).isEqualTo(STATE.controlOffsets());
    assertThat(read.assigned()).isEqualTo(STATE.assigned());
    assertThat(read.ended()).isEqualTo(STATE.ended());
    assertThat(read.waiting()).hasSize(1);
    assertSame(read.waiting().get(0), KNOWN.get(version - 1));
  }

  @Test
  void anotherLayoutNeedsAnotherVersion() throws Exception {
    assertThat(HexFormat.of().formatHex(splits.serialize(SPLIT)))
        .isEqualTo(HexFormat.of().formatHex(kept("mix-split-v5.hex")));
    assertThat(HexFormat.of().formatHex(states.serialize(STATE)))
        .isEqualTo(HexFormat.of().formatHex(kept("enumerator-state-v5.hex")));
  }

  @Test
  void laterVersionsAreRefused() {
    assertThatThrownBy(() -> splits.deserialize(9, new byte[1]))
        .hasMessage("split must be of version [1, 5]: 9");
    assertThatThrownBy(() -> states.deserialize(9, new byte[1]))
        .hasMessage("enumerator state must be of version [1, 5]: 9");
  }
}
