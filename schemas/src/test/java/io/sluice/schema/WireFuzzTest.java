package io.sluice.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecordBase;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged records are refused in one way only. Lengths near and far beyond any memory are among the
 * damages, so a decoder that believes them fails here with an error.
 */
final class WireFuzzTest {
  private static final int PREFIX = 10;
  private static final int ROUNDS = 1_500;

  /** Of each type, over all its samples. */
  private static final int FULL = 1_000_000;

  private static final HexFormat HEX = HexFormat.of();

  /** As zigzag varints: 2^31 - 1, 2^31 - 9, 2^28, 2^62, the least long, and one that overflows. */
  private static final byte[][] LENGTHS = {
    HEX.parseHex("feffffff0f"),
    HEX.parseHex("eeffffff0f"),
    HEX.parseHex("8080808002"),
    HEX.parseHex("80808080808080808001"),
    HEX.parseHex("ffffffffffffffffff01"),
    HEX.parseHex("ffffffffffffffffff7f"),
  };

  static Stream<Path> samples() throws IOException {
    return WireCompatibilityTest.committed();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void damageIsRefusedOrHarmless(Path sample) throws IOException {
    byte[] intact = Files.readAllBytes(sample);
    Random random = new Random(sample.getFileName().toString().hashCode());
    int refused = 0;
    int rounds = rounds(sample);
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = damage(intact, random);
      try {
        SpecificRecordBase read = WireCodec.decode(damaged);
        assertThat(WireCodec.encode(read)).isNotEmpty();
      } catch (WireFormatException e) {
        assertThat(e.getMessage()).isNotBlank().hasSizeLessThan(500);
        refused++;
      } catch (RuntimeException | Error e) {
        fail("round " + round + " of " + sample + ": " + HEX.formatHex(damaged), e);
      }
    }
    assertThat(refused).isGreaterThan(rounds / 4);
  }

  private static int rounds(Path sample) throws IOException {
    if (!Boolean.getBoolean("sluice.full")) {
      return ROUNDS;
    }
    long ofType = samples().filter(other -> type(other).equals(type(sample))).count();
    return Math.max(ROUNDS, (int) (FULL / ofType));
  }

  private static String type(Path sample) {
    return sample.getFileName().toString().replaceFirst("\\..*", "");
  }

  @ParameterizedTest
  @MethodSource("samples")
  void thePlaceOfABlockIsReadOfWhatIsABlock(Path sample) throws IOException {
    byte[] intact = Files.readAllBytes(sample);
    assertThat(placeOf(intact)).isEqualTo(decodedPlaceOf(intact));
    Random random = new Random(sample.getFileName().toString().hashCode());
    // Other types are known by their prefix, which damage leaves as it is.
    int rounds = placeOf(intact).isPresent() ? rounds(sample) : ROUNDS;
    for (int round = 0; round < rounds; round++) {
      byte[] damaged = damage(intact, random);
      int number = round;
      assertThat(placeOf(damaged))
          .as(() -> "round " + number + " of " + sample + ": " + HEX.formatHex(damaged))
          .isEqualTo(decodedPlaceOf(damaged));
    }
  }

  private static Optional<BlockPlace> placeOf(byte[] bytes) {
    try {
      return Optional.of(BlockPlace.of(bytes));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  private static Optional<BlockPlace> decodedPlaceOf(byte[] bytes) {
    try {
      TokenBlock block = WireCodec.decode(TokenBlock.class, bytes);
      return Optional.of(
          new BlockPlace(
              block.getFingerprint(), block.getDomain(), block.getLane(), block.getOrdinal()));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  private static byte[] damage(byte[] intact, Random random) {
    byte[] damaged = intact.clone();
    for (int times = 1 + random.nextInt(3); times > 0; times--) {
      int place = PREFIX + random.nextInt(damaged.length - PREFIX);
      switch (random.nextInt(6)) {
        case 0 -> damaged[place] ^= (byte) (1 << random.nextInt(8));
        case 1 -> damaged[place] = (byte) random.nextInt();
        case 2 -> damaged = Arrays.copyOf(damaged, Math.max(PREFIX + 1, place));
        case 3 -> damaged = Arrays.copyOf(damaged, damaged.length + 1 + random.nextInt(9));
        case 4 -> damaged = spliced(damaged, place, LENGTHS[random.nextInt(LENGTHS.length)]);
        default -> damaged = overwritten(damaged, place, LENGTHS[random.nextInt(LENGTHS.length)]);
      }
    }
    return damaged;
  }

  private static byte[] spliced(byte[] bytes, int place, byte[] with) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + with.length);
    System.arraycopy(bytes, place, longer, place + with.length, bytes.length - place);
    return overwritten(longer, place, with);
  }

  private static byte[] overwritten(byte[] bytes, int place, byte[] with) {
    int length = Math.min(with.length, bytes.length - place);
    System.arraycopy(with, 0, bytes, place, length);
    return bytes;
  }
}
