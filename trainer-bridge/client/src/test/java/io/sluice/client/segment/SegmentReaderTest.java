package io.sluice.client.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.Sequence;
import io.sluice.client.derive.DerivedBatch;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamMissingException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.stream.TestingConsumer;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.FileInPlace;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.IdHash;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows that are read where they lie, and files that are not what records say. */
final class SegmentReaderTest {
  private static final String TOPIC = "sluice.segments.d";
  private static final KafkaAccess ACCESS = KafkaAccess.local("localhost:9092");
  private static final int ROWS = 40;

  @TempDir private Path folder;
  private final TestingConsumer<byte[]> records = TestingConsumer.of(3);
  private final SegmentTable table =
      new SegmentTable(
          TOPIC, TestingStream.FINGERPRINT, () -> new TopicReader(ACCESS, records.again()));

  SegmentReaderTest() {
    records.create(TOPIC, 1);
  }

  private static RunInfo run(int sequenceLength, int vocabulary) {
    RunSpec spec = TestingStream.spec(1, new int[] {8});
    return new RunInfo(
        "r-1",
        RunSpec.newBuilder(spec)
            .setSequenceLength(sequenceLength)
            .setVocabulary(vocabulary)
            .build());
  }

  /** A batch of these blocks of the domain java. */
  private static DerivedBatch batch(long... blocks) {
    return new DerivedBatch(
        0,
        5,
        100,
        blocks.length,
        1,
        0,
        List.of("java"),
        new int[blocks.length],
        new int[blocks.length],
        LongStream.of(blocks).map(block -> block + 1000).toArray(),
        blocks);
  }

  private void append(Segment segment) {
    records.append(TOPIC, 0, 0, WireCodec.encode(segment), new RecordHeaders());
    table.refresh();
  }

  private static byte[] block(int ordinal) {
    TokenBlock block = TestingStream.block("java", ordinal);
    return WireCodec.encode(block);
  }

  private TestingSegments segments() {
    return new TestingSegments(
        folder, TestingSegments.dataset(TestingStream.FINGERPRINT, 4, 2, List.of("java")));
  }

  private Segment sealed() {
    Segment segment =
        segments()
            .seal("java", 0, 0, IntStream.range(0, ROWS).mapToObj(i -> block(i)).toList(), true);
    append(segment);
    return segment;
  }

  private SegmentReader reader() {
    return new SegmentReader(run(4, 1 << 16), table, segments().files());
  }

  private Path rows(Segment segment) {
    return folder.resolve(segment.getData().getObject());
  }

  private Path side(Segment segment) {
    return folder.resolve(segment.getSide().getObject());
  }

  static Stream<JsonNode> vectors() throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/segments.json");
    return StreamSupport.stream(new ObjectMapper().readTree(file.toFile()).spliterator(), false);
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void whatASealerWritesIsWhatIsRead(JsonNode vector) {
    String domain = vector.get("domain").textValue();
    long fingerprint = vector.get("fingerprint").longValue();
    int labels = vector.get("sequenceLength").intValue();
    int width = vector.get("tokenWidth").intValue();
    List<byte[]> blocks = new ArrayList<>();
    vector.get("blocks").forEach(each -> blocks.add(HexFormat.of().parseHex(each.textValue())));
    TestingSegments segments =
        new TestingSegments(
            folder,
            DatasetSpec.newBuilder(
                    TestingSegments.dataset(fingerprint, labels, width, List.of(domain)))
                .setDocumentIds(vector.get("documentIds").textValue())
                .build());
    SegmentTable own =
        new SegmentTable(TOPIC, fingerprint, () -> new TopicReader(ACCESS, records.again()));
    Segment segment = segments.seal(domain, 0, 0, blocks, false);
    records.append(TOPIC, 0, 0, WireCodec.encode(segment), new RecordHeaders());
    own.refresh();
    RunInfo run = run(labels, width == 2 ? 1 << 16 : 1 << 17);
    run.spec().setFingerprint(fingerprint);
    DerivedBatch all = batch(LongStream.range(0, blocks.size()).toArray());
    DerivedBatch batch =
        new DerivedBatch(
            0,
            1,
            0,
            all.size(),
            1,
            0,
            List.of(domain),
            all.domain(),
            all.lane(),
            all.ordinal(),
            all.block());
    List<Sequence> read = new SegmentReader(run, own, segments.files()).read(batch).sequences();
    for (int i = 0; i < blocks.size(); i++) {
      JsonNode row = vector.get("rows").get(i);
      Sequence sequence = read.get(i);
      TokenBlock block = sequence.block();
      assertThat(sequence.tokenWidth()).isEqualTo(width);
      assertThat(sequence.producedAtMillis()).isEqualTo(row.get("produced").longValue());
      assertThat(block.getTrainedTokens()).isEqualTo(row.get("trained").intValue());
      assertThat(IntStream.of(sequence.documentLengths()).boxed().toList())
          .isEqualTo(block.getDocumentLengths())
          .hasSize(row.get("lengths").size());
      for (int part = 0; part < block.getDocumentIds().size(); part++) {
        long hash = Long.parseUnsignedLong(row.get("documents").get(part).textValue(), 16);
        assertThat(IdHash.number(block.getDocumentIds().get(part))).isEqualTo(hash);
      }
      byte[] tokens = new byte[(labels + 1) * width];
      sequence.packedTokens().get(tokens);
      int stride = vector.get("stride").intValue();
      byte[] data = HexFormat.of().parseHex(vector.get("data").textValue());
      assertThat(tokens)
          .isEqualTo(Arrays.copyOfRange(data, i * stride, i * stride + tokens.length));
    }
  }

  @Test
  void readsBlocksInAnyOrderAndSaysWhichOnesTheyAre() {
    sealed();
    List<Sequence> read = reader().read(batch(7, 39, 0, 7)).sequences();
    assertThat(read).extracting(each -> each.block().getOrdinal()).containsExactly(7L, 39L, 0L, 7L);
    assertThat(read).extracting(Sequence::index).containsExactly(100L, 101L, 102L, 103L);
    assertThat(read.get(1).header().ordinal()).isEqualTo(1039);
    assertThat(read.get(1).header().batch()).isEqualTo(5);
    assertThat(read.get(1).packedTokens()).isEqualTo(TestingStream.block("java", 39).getTokens());
    assertThat(read.get(1).encodedBytes()).isEqualTo(10);
    assertThat(table.blocks("java", 0)).hasValue(ROWS);
  }

  @Test
  void saysWhichBlockIsNotSealed() {
    SegmentReader reader = reader();
    assertThat(reader.lacks(batch(1, 2)))
        .hasValue("block 1 of domain java, lane 0, is not sealed: 0 of the lane's are");
    sealed();
    assertThat(reader.lacks(batch(1, 2))).isEmpty();
    assertThat(reader.lacks(batch(1, 40)))
        .hasValue("block 40 of domain java, lane 0, is not sealed: 40 of the lane's are");
  }

  @Test
  void whatIsSealedAgainInLargerSegmentsIsReadThere() throws IOException {
    TestingSegments segments = segments();
    Segment small = segments.seal("java", 0, 0, List.of(block(0), block(1)), false);
    append(small);
    SegmentReader reader = reader();
    assertThat(reader.read(batch(1)).sequences()).hasSize(1);
    Segment large = sealed();
    Files.delete(rows(small));
    assertThat(reader.read(batch(1, 30)).sequences()).hasSize(2);
    append(segments.seal("java", 0, 35, List.of(block(35)), false)); // within the one before it
    assertThat(reader().read(batch(35, 36)).sequences()).hasSize(2);
    assertThat(large.getRows()).isEqualTo(ROWS);
  }

  @Test
  void everyBitOfARowIsChecked() throws IOException {
    Segment segment = sealed();
    byte[] whole = Files.readAllBytes(rows(segment));
    Random random = new Random(3);
    for (int trial = 0; trial < 40; trial++) {
      int row = random.nextInt(ROWS);
      int at = (int) (segment.getData().getOffset() + row * 16L + random.nextInt(10));
      byte[] flipped = whole.clone();
      flipped[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(rows(segment), flipped);
      assertThatThrownBy(() -> reader().read(batch(row)))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessage(
              "batch 5: block %d of domain java, lane 0, is not what its segment java/0/0 says: row %d, 16 bytes from %d on in %s"
                  .formatted(row, row, segment.getData().getOffset() + row * 16L, rows(segment)));
    }
  }

  @Test
  void aSideIsWhatItsRecordSays() throws IOException {
    Segment segment = sealed();
    byte[] whole = Files.readAllBytes(side(segment));
    whole[whole.length - 1] ^= 1;
    Files.write(side(segment), whole);
    assertThatThrownBy(() -> reader().read(batch(0)))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageStartingWith(
            "segment java/0/0: side of "
                + segment.getSide().getLength()
                + " bytes from 64 on in "
                + side(segment)
                + ": its bytes have the SHA-256 ")
        .hasMessageEndingWith(", the record says " + segment.getSide().getSha256());
  }

  @Test
  void namesFilesThatAreMissingOrShort() throws IOException {
    Segment segment = sealed();
    for (Path file : List.of(rows(segment), side(segment))) {
      byte[] whole = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(whole, whole.length - 1));
      assertThatThrownBy(() -> reader().read(batch(0)))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessage(
              "%s has %d bytes: its records say that there are %d"
                  .formatted(file, whole.length - 1, whole.length));
      Files.delete(file);
      assertThatThrownBy(() -> reader().read(batch(0)))
          .isInstanceOf(StreamMissingException.class)
          .hasMessage(file + " cannot be read: NoSuchFileException " + file);
      Files.write(file, whole);
    }
  }

  @RepeatedTest(5)
  void aFileThatIsCutWhileItIsMappedIsNamed() throws IOException {
    Segment segment = sealed();
    for (Path file : List.of(rows(segment), side(segment))) {
      byte[] whole = Files.readAllBytes(file);
      SegmentReader reader = reader();
      assertThat(reader.read(batch(0)).sequences()).hasSize(1);
      try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
        cut.truncate(0);
      }
      for (int trial = 0; trial < 3; trial++) {
        assertThatThrownBy(() -> reader.read(batch(0)))
            .isInstanceOf(StreamCorruptException.class)
            .hasMessage(
                "%s has 0 bytes: its records say that there are %d".formatted(file, whole.length));
      }
      Files.write(file, whole);
    }
  }

  @Test
  void aFileThatIsWhatItWasAgainIsOpenedAnew() throws IOException {
    Segment segment = sealed();
    Path good = Files.copy(rows(segment), folder.resolve("good"));
    Path other = Files.write(folder.resolve("other"), new byte[Files.readAllBytes(good).length]);
    Files.move(other, rows(segment), StandardCopyOption.REPLACE_EXISTING);
    SegmentReader reader = reader();
    assertThatThrownBy(() -> reader.read(batch(20)))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageEndingWith(" in " + rows(segment));
    Files.move(good, rows(segment), StandardCopyOption.REPLACE_EXISTING);
    assertThat(reader.read(batch(20)).sequences().get(0).block().getOrdinal()).isEqualTo(20);
  }

  @Test
  void aFileThatIsReplacedStaysAsItWas() throws IOException {
    Segment segment = sealed();
    SegmentReader reader = reader();
    assertThat(reader.read(batch(0)).sequences()).hasSize(1);
    Path other = Files.write(folder.resolve("other"), new byte[1 << 20]);
    Files.move(other, rows(segment), StandardCopyOption.REPLACE_EXISTING);
    assertThat(reader.read(batch(20)).sequences().get(0).block().getOrdinal()).isEqualTo(20);
  }

  @Test
  void foreignObjectsAreRefused() {
    Segment segment = sealed();
    for (String name : List.of("e/" + "0".repeat(64) + ".rows", "d/../x", "d/1.rows", "/etc/x")) {
      Segment foreign = Segment.newBuilder(segment).build();
      foreign.getData().setObject(name);
      append(foreign);
      assertThatThrownBy(() -> reader().read(batch(0)))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageContaining("must be called")
          .hasMessageContaining("'" + name + "'");
    }
  }

  @Test
  void recordsThatCannotBeAreRefused() {
    Segment segment = Segment.newBuilder(sealed()).build();
    segment.getData().setLength(segment.getData().getLength() - 16);
    append(segment);
    assertThatThrownBy(() -> reader().read(batch(0)))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageStartingWith(
            "segment java/0/0 must have 640 bytes of rows and a side of 1 to 1073741824: found {");
  }

  @Test
  void whatStandsForAnUnusableBlockIsMaskedAndCounted() {
    append(segments().seal("java", 0, 0, List.of(block(0), new byte[] {1, 2, 3}), false));
    SegmentReader reader = reader();
    Sequence read = reader.read(batch(0, 1)).sequences().get(1);
    assertThat(reader.undecodable()).isEqualTo(1);
    assertThat(read.domain()).isEmpty();
    assertThat(read.trained()).containsOnly(false);
    assertThat(read.block().getTrainedTokens()).isZero();
    assertThat(WireCodec.decode(TokenBlock.class, read.encodedBlock())).isEqualTo(read.block());
  }

  /** The same rows in a file of another, behind three bytes of it. */
  private Segment inPlace(Path file) throws IOException {
    Segment segment = sealed();
    byte[] rows = Files.readAllBytes(rows(segment));
    byte[] data = new byte[3 + 10 * ROWS];
    for (int row = 0; row < ROWS; row++) {
      long at = segment.getData().getOffset() + 16L * row;
      System.arraycopy(rows, (int) at, data, 3 + 10 * row, 10);
    }
    Files.write(file, data);
    segment.setData(new StoredPart("file://" + file, 3L, 10L * ROWS, ""));
    segment.setStride(10);
    long modified = Files.getLastModifiedTime(file).toMillis();
    segment.setFile(new FileInPlace((long) data.length, Long.toString(modified), ""));
    append(segment);
    return segment;
  }

  @Test
  void rowsInPlaceAreReadWhereTheyLie() throws IOException {
    Segment first = sealed();
    List<Sequence> stored = reader().read(batch(0, 39, 17)).sequences();
    Segment segment = inPlace(folder.resolve("others tokens.bin"));
    assertThat(segment.getSide()).isEqualTo(first.getSide());
    assertThat(table.isInPlace("java", 0)).isTrue();
    List<Sequence> read = reader().read(batch(0, 39, 17)).sequences();
    for (int i = 0; i < 3; i++) {
      assertThat(read.get(i).packedTokens()).isEqualTo(stored.get(i).packedTokens());
    }
  }

  @Test
  void aFileInPlaceThatIsNotWhatItWasIsNamed() throws IOException {
    Path file = folder.resolve("others.bin");
    Segment segment = inPlace(file);
    SegmentReader reader = reader();
    reader.read(batch(3));
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
    String message = file + " is not what it was when it was indexed: it had 403 bytes";
    assertThatThrownBy(() -> reader.read(batch(3)))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessageStartingWith(message);
    assertThatThrownBy(() -> reader().read(batch(3))).hasMessageStartingWith(message);
    Files.delete(file);
    assertThatThrownBy(() -> reader().read(batch(3)))
        .isInstanceOf(StreamMissingException.class)
        .hasMessageContaining(file + " cannot be read");
    for (String name : List.of("file://others.bin", "s3://bucket/others.bin")) {
      segment.getData().setObject(name);
      append(segment);
      assertThatThrownBy(() -> reader().read(batch(3)))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageStartingWith("a file with rows in place must be file:///ABSOLUTE/PATH");
    }
  }
}
