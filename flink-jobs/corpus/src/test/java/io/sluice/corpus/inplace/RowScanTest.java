package io.sluice.corpus.inplace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.file.SourceFile;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SideRow;
import io.sluice.schema.set.IdHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Files that megatron-core and NumPy wrote ({@code src/test/resources/tokens/make.py}), as rows.
 */
class RowScanTest {
  private static final Path SAMPLES = Path.of("src/test/resources/tokens");
  private static final int[][] DOCUMENTS = {
    {1, 2, 3, 0},
    {50_256, 7, 0},
    IntStream.concat(IntStream.range(0, 300).map(i -> i * i % 50_257 + 1), IntStream.of(0))
        .toArray(),
    {9, 0}
  };
  private static final int[] TOKENS =
      Arrays.stream(DOCUMENTS).flatMapToInt(Arrays::stream).toArray();

  @TempDir Path folder;
  private final Found found = new Found();

  private static final class Found implements RowScan.Sink {
    private final List<Segment> segments = new ArrayList<>();
    private final List<SegmentSide> sides = new ArrayList<>();
    private final List<TokenBlock> heldOut = new ArrayList<>();

    @Override
    public void training(Segment.Builder segment, byte[] side) {
      segments.add(segment.setSide(new StoredPart("", 0L, 0L, "")).setTimeMillis(0).build());
      sides.add(SegmentSide.decode(ByteBuffer.wrap(side)));
    }

    @Override
    public void heldOut(TokenBlock block) {
      heldOut.add(block);
    }

    @Override
    public void read(long bytes) {}
  }

  @BeforeEach
  void copySamples() throws IOException {
    for (String name :
        List.of("megatron-u2.idx", "megatron-u2.bin", "flat-u2.npy", "rows-u4.npy")) {
      Files.copy(SAMPLES.resolve(name), folder.resolve(name));
    }
  }

  private static DatasetSpec spec(int labels, int width, int lanes, double heldOut) {
    return DatasetSpec.newBuilder()
        .setName("d")
        .setFingerprint(42)
        .setTokenizer("t")
        .setVocabulary(50_258)
        .setTokenWidth(width)
        .setEndOfDocument(0)
        .setPadding(50_257)
        .setSequenceLength(labels)
        .setShuffleBuffer(1)
        .setSeed(0)
        .setHeldOut(heldOut)
        .setLanes(lanes)
        .setDomains(List.of("a"))
        .build();
  }

  private List<RowFile> open(DatasetSpec spec, String... names) {
    RowFiles files = new RowFiles(spec);
    List<RowFile> opened = new ArrayList<>();
    for (String name : names) {
      for (SourceFile file : SourceFiles.local(List.of(folder.resolve(name)), false).files()) {
        files.open(file).ifPresent(opened::add);
      }
    }
    return opened;
  }

  private RowSplit scan(DatasetSpec spec, List<RowFile> files) {
    RowScan scan = new RowScan(spec, "a", files, found);
    scan.run();
    return scan.split();
  }

  @ParameterizedTest
  @CsvSource({
    "megatron-u2.idx, megatron-u2.bin, 7",
    "megatron-u2.idx, megatron-u2.bin, 2",
    "megatron-u2.idx, megatron-u2.bin, 309",
    "flat-u2.npy, flat-u2.npy, 7",
    "flat-u2.npy, flat-u2.npy, 64",
    "flat-u2.npy, flat-u2.npy, 3"
  })
  void rowsAreTheTokensWhereTheyLie(String name, String data, int labels) throws IOException {
    DatasetSpec spec = spec(labels, 2, 1, 0);
    List<RowFile> files = open(spec, name);
    int rows = (TOKENS.length - 1) / labels;
    assertThat(files.get(0).left()).isEqualTo(TOKENS.length - rows * labels - 1);
    assertThat(scan(spec, files)).isEqualTo(new RowSplit(rows, 0, 1));
    Segment segment = found.segments.get(0);
    assertThat(segment.getData().getObject()).isEqualTo("file://" + folder.resolve(data));
    assertThat(segment.getRows()).isEqualTo(rows);
    assertThat(segment.getEnded()).isTrue();
    assertThat(segment.getFile().getBytes()).isEqualTo(Files.size(folder.resolve(data)));
    for (int row = 0; row < rows; row++) {
      int[] tokens = Arrays.copyOfRange(TOKENS, row * labels, (row + 1) * labels + 1);
      assertThat(read(segment, row, labels + 1)).isEqualTo(tokens);
      SideRow side = found.sides.get(0).row(row);
      assertThat(side.hash()).isEqualTo(hash(tokens));
      assertThat(side.trainedTokens()).isEqualTo(labels);
      assertParts(side, name, row * labels, labels + 1);
    }
  }

  private static void assertParts(SideRow side, String source, int first, int tokens) {
    List<Integer> lengths = new ArrayList<>();
    List<Long> documents = new ArrayList<>();
    int begin = 0;
    for (int document = 0; document < DOCUMENTS.length; document++) {
      int end = begin + DOCUMENTS[document].length;
      int part = Math.min(end, first + tokens) - Math.max(begin, first);
      if (part > 0) {
        lengths.add(part);
        documents.add(IdHash.number(IdHash.of("a", source + ":" + (document + 1))));
      }
      begin = end;
    }
    assertThat(side.lengths()).containsExactly(lengths.stream().mapToInt(i -> i).toArray());
    assertThat(side.documents()).containsExactly(documents.stream().mapToLong(i -> i).toArray());
  }

  private static long hash(int[] tokens) {
    RowFormat format = new RowFormat(tokens.length, 2);
    ByteBuffer bytes = ByteBuffer.allocate(format.stride()).order(ByteOrder.LITTLE_ENDIAN);
    for (int token : tokens) {
      bytes.putShort((short) token);
    }
    return new RowHash(format).of(bytes.array(), 0);
  }

  private int[] read(Segment segment, int row, int tokens) throws IOException {
    Path file = Path.of(segment.getData().getObject().substring("file://".length()));
    long at = segment.getData().getOffset() + (long) row * segment.getStride();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    int[] found = new int[tokens];
    Arrays.setAll(found, i -> bytes.getShort((int) at + 2 * i) & 0xFFFF);
    return found;
  }

  @Test
  void rowsOfABlocksSizeAreBlocksEachOfADocument() {
    DatasetSpec spec = spec(3, 4, 1, 0);
    assertThat(scan(spec, open(spec, "rows-u4.npy"))).isEqualTo(new RowSplit(3, 0, 1));
    assertThat(found.segments.get(0).getStride()).isEqualTo(16);
    assertThat(found.sides.get(0).row(2).lengths()).containsExactly(4);
    assertThat(found.sides.get(0).row(2).documents())
        .containsExactly(IdHash.number(IdHash.of("a", "rows-u4.npy:3")));
  }

  @Test
  void lanesHavePartsThatFollowEachOtherAndTheLastRowsAreHeldOut() {
    DatasetSpec spec = spec(7, 2, 3, 0.1);
    RowSplit split = scan(spec, open(spec, "megatron-u2.idx", "flat-u2.npy"));
    assertThat(split).isEqualTo(new RowSplit(88, 8, 3));
    long[] rows = new long[3];
    for (Segment segment : found.segments) {
      int lane = segment.getLane();
      assertThat(segment.getFirst()).isEqualTo(rows[lane]);
      rows[lane] += segment.getRows();
      assertThat(segment.getEnded()).isEqualTo(rows[lane] == split.blocks(lane));
    }
    assertThat(rows).containsExactly(26, 27, 27);
    assertThat(found.heldOut).hasSize(8);
    TokenBlock last = found.heldOut.get(7);
    assertThat(last.getLane()).isEqualTo(1);
    assertThat(last.getOrdinal()).isEqualTo(2);
    assertThat(split.evalBlocks(0)).isEqualTo(3);
    assertThat(split.evalBlocks(2)).isEqualTo(2);
    assertThat(last.getDocumentIds()).contains("flat-u2.npy:3");
    ByteBuffer tokens = last.getTokens().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    assertThat(tokens.getShort(0) & 0xFFFF).isEqualTo(TOKENS[43 * 7]);
  }

  @Test
  void anIdBeyondTheVocabularyIsNamedWithItsPlace() {
    DatasetSpec spec = spec(7, 2, 1, 0);
    spec.setVocabulary(50_000);
    List<RowFile> files = open(spec, "megatron-u2.idx");
    assertThatThrownBy(() -> scan(spec, files))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            folder.resolve("megatron-u2.bin")
                + ": the id at byte 8 must be in [0, 50000): found 50256");
  }

  @Test
  void aFileThatIsChangedWhileItIsReadIsRefused() throws IOException {
    DatasetSpec spec = spec(7, 2, 1, 0);
    List<RowFile> files = open(spec, "flat-u2.npy");
    Files.setLastModifiedTime(folder.resolve("flat-u2.npy"), FileTime.fromMillis(1));
    assertThatThrownBy(() -> scan(spec, files))
        .hasMessage(folder.resolve("flat-u2.npy") + ": it was changed while it was read");
  }

  @Test
  void filesThatCannotBeRowsAreNamed() throws IOException {
    assertThatThrownBy(() -> open(spec(7, 4, 1, 0), "megatron-u2.idx"))
        .hasMessage(
            folder.resolve("megatron-u2.idx")
                + ": ids must have 4 bytes, as those of dataset 'd' have, to be in place: found"
                + " uint16");
    assertThatThrownBy(() -> open(spec(7, 2, 1, 0), "megatron-u2.bin"))
        .hasMessageEndingWith("must be an .npy file, or an .idx file with its .bin beside it");
    byte[] bin = Files.readAllBytes(folder.resolve("megatron-u2.bin"));
    Files.write(folder.resolve("megatron-u2.bin"), Arrays.copyOf(bin, bin.length - 2));
    assertThatThrownBy(() -> open(spec(7, 2, 1, 0), "megatron-u2.idx"))
        .hasMessageEndingWith(
            "the index is not of %s: it says that there are 620 bytes, and there are 618"
                .formatted(folder.resolve("megatron-u2.bin")));
  }

  @Test
  void anIndexOfAnyBytesIsRefusedOrRead() throws IOException {
    Path index = folder.resolve("megatron-u2.idx");
    byte[] whole = Files.readAllBytes(index);
    Random random = new Random(7);
    DatasetSpec spec = spec(7, 2, 1, 0);
    int refused = 0;
    for (int round = 0; round < 500; round++) {
      byte[] wrong = Arrays.copyOf(whole, whole.length - random.nextInt(2) * random.nextInt(40));
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        wrong[random.nextInt(wrong.length)] ^= (byte) (1 << random.nextInt(8));
      }
      Files.write(index, wrong);
      refused += isRefused(spec) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(400);
  }

  private boolean isRefused(DatasetSpec spec) {
    try {
      List<RowFile> files = open(spec, "megatron-u2.idx");
      assertThat(scan(spec, files).rows()).isEqualTo(44);
      return false;
    } catch (BadInputException e) {
      return true;
    }
  }

  @Test
  void whatIsHeldOutIsBounded() {
    assertThat(RowSplit.of(spec(1024, 2, 1, 0.5), 1L << 40).heldOut()).isEqualTo(1 << 16);
    assertThat(RowSplit.of(spec(1024, 2, 1, 0.001), 10).heldOut()).isEqualTo(1);
    assertThat(RowSplit.of(spec(1024, 2, 1, 0.001), 1).heldOut()).isZero();
    DatasetSpec least = spec(1024, 2, 1, 0);
    least.setHeldOutTokens(5000);
    assertThat(RowSplit.of(least, 100).heldOut()).isEqualTo(5);
    assertThat(RowSplit.of(least, 6).heldOut()).isEqualTo(3);
    assertThat(Optional.of(RowSplit.of(spec(1024, 2, 1, 0), 100).heldOut())).contains(0L);
  }
}
