package io.sluice.client.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ChainHash;
import io.sluice.schema.EndOfDomain;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BlockReaderTest {
  private final TestingStream stream = new TestingStream(1, 4);
  private final BlockReader reader = new BlockReader(stream.run());

  @Test
  void identityIsWhatTheChainHashCovers() {
    TokenBlock block = TestingStream.block("prose", 1_000_000);
    block.setLane(3);
    block.setLossMask(List.of(0, 4));
    block.setPayload(ByteBuffer.wrap(new byte[300]));
    EncodedBlock found = inspect(WireCodec.encode(block));
    long domain = ChainHash.domain(TestingStream.FINGERPRINT, "prose");
    assertThat(found.nextChain(5, 6)).isEqualTo(ChainHash.next(5, 6, domain, 3, 1_000_000));
    assertThat(found.packed()).isEqualTo(block.getTokens());
    assertThat(found.documentLengths()).containsExactly(2, 3);
    assertThat(found.maskRuns()).containsExactly(0, 4);
    assertThat(read(WireCodec.encode(block))).isEqualTo(block);
    assertThat(reader.undecodable()).isZero();
  }

  @Test
  void everyTruncationIsMaskedAndCounted() {
    byte[] encoded = WireCodec.encode(TestingStream.block("java", 7));
    for (int length = 0; length < encoded.length; length++) {
      byte[] cut = Arrays.copyOf(encoded, length);
      assertThat(read(cut).getTrainedTokens()).isZero();
    }
    assertThat(reader.undecodable()).isEqualTo(encoded.length);
  }

  @Test
  void corruptBytesGiveAMaskedBlockOrOneOfTheRunsShape() {
    byte[] encoded = WireCodec.encode(TestingStream.block("java", 7));
    Random random = new Random(17);
    for (int round = 0; round < 20_000; round++) {
      byte[] corrupt = encoded.clone();
      for (int n = random.nextInt(4); n >= 0; n--) {
        corrupt[random.nextInt(corrupt.length)] = (byte) random.nextInt(256);
      }
      EncodedBlock found = inspect(corrupt);
      TokenBlock block = reader.read(found, corrupt);
      assertThat(block.getTokens().remaining())
          .isEqualTo((TestingStream.SEQUENCE_LENGTH + 1) * block.getTokenWidth());
      assertThat(block.getOrdinal() == -1 && block.getTrainedTokens() == 0)
          .isEqualTo(reader.isMasked(found));
    }
  }

  @Test
  void blocksOfAnotherDatasetOrShapeAndOtherRecordsAreMasked() {
    TokenBlock foreign = TestingStream.block("java", 7);
    foreign.setFingerprint(1);
    TokenBlock shorter = TestingStream.block("java", 7);
    shorter.setTokens(ByteBuffer.allocate(8));
    byte[] marker = WireCodec.encode(new EndOfDomain("java", 0, 3L));
    for (byte[] value : List.of(WireCodec.encode(foreign), WireCodec.encode(shorter), marker)) {
      assertThat(read(value).getDomain()).isEmpty();
      assertThat(Tokens.of(read(value))).containsExactly(0, 0, 0, 0, 0);
    }
  }

  private EncodedBlock inspect(byte[] encoded) {
    return reader.inspect(ByteBuffer.wrap(encoded));
  }

  private TokenBlock read(byte[] encoded) {
    return reader.read(inspect(encoded), encoded);
  }
}
