package io.sluice.control.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.FileInPlace;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.RowFormat;
import io.sluice.schema.segment.RowHash;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import io.sluice.schema.segment.SideRow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFilesTest {
  private static final RowFormat FORMAT = new RowFormat(5, 2);
  private static final int ROWS = 100;

  @TempDir private Path folder;
  private SegmentFiles files;
  private Path sides;
  private Path rows;
  private byte[] data;
  private Segment segment;

  @BeforeEach
  void write() throws Exception {
    data = new byte[ROWS * FORMAT.stride()];
    List<SideRow> side = new ArrayList<>();
    Random random = new Random(7);
    RowHash hash = new RowHash(FORMAT);
    for (int row = 0; row < ROWS; row++) {
      byte[] tokens = new byte[FORMAT.bytes()];
      random.nextBytes(tokens);
      System.arraycopy(tokens, 0, data, row * FORMAT.stride(), tokens.length);
      side.add(SideRow.whole(hash.of(ByteBuffer.wrap(tokens)), 4, new int[] {5}, new long[] {1}));
    }
    StoredPart rowsPart = part(data, ".rows");
    StoredPart sidePart = part(SegmentSide.encode(side, 4), ".side");
    rows = folder.resolve(rowsPart.getObject());
    sides = folder.resolve(sidePart.getObject());
    segment =
        Segment.newBuilder()
            .setDataset("d")
            .setFingerprint(1)
            .setDomain("a")
            .setLane(0)
            .setFirst(0)
            .setRows(ROWS)
            .setEnded(true)
            .setData(rowsPart)
            .setSide(sidePart)
            .setTimeMillis(0)
            .build();
    files = new SegmentFiles(SegmentStore.of("file://" + folder), StoreFiles.FOLDERS, FORMAT);
  }

  private StoredPart part(byte[] bytes, String ending) throws Exception {
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    String object = "d/" + sha256 + ending;
    Files.createDirectories(folder.resolve("d"));
    Files.write(folder.resolve(object), bytes);
    return new StoredPart(object, 0L, (long) bytes.length, sha256);
  }

  @Test
  void readsWhatIsWhole() throws IOException {
    SegmentSide side = files.side(segment);
    assertThat(side.rows()).isEqualTo(ROWS);
    assertThatCode(() -> files.check(segment, side)).doesNotThrowAnyException();
  }

  @Test
  void namesTheRowThatIsAnother() throws IOException {
    SegmentSide side = files.side(segment);
    data[77 * FORMAT.stride() + 3] ^= 1;
    Files.write(rows, data);
    assertThatThrownBy(() -> files.check(segment, side))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "row 77, 10 bytes from 1232 on in %s, is not what its hash says".formatted(rows));
  }

  @Test
  void namesWhatIsShortOrAnotherOrNotThere() throws IOException {
    SegmentSide side = files.side(segment);
    Files.write(rows, new byte[40]);
    assertThatThrownBy(() -> files.check(segment, side))
        .hasMessage("its file ends before byte " + (ROWS * FORMAT.stride() - 6));
    byte[] bytes = Files.readAllBytes(sides);
    bytes[bytes.length - 1] ^= 1;
    Files.write(sides, bytes);
    assertThatThrownBy(() -> files.side(segment))
        .hasMessageStartingWith("the bytes of its side are not those of ");
    Files.write(sides, new byte[3]);
    assertThatThrownBy(() -> files.side(segment))
        .hasMessageStartingWith("its side must have 1 to 1073741824 bytes, and be in its file: ");
    Files.delete(sides);
    assertThatThrownBy(() -> files.side(segment)).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void readsRowsInPlaceOfAFileThatIsWhatItWas() throws IOException {
    SegmentSide side = files.side(segment);
    Path own = folder.resolve("own.bin");
    Files.write(own, data);
    Files.setLastModifiedTime(own, FileTime.fromMillis(5_000));
    Segment inPlace =
        Segment.newBuilder(segment)
            .setData(new StoredPart("file://" + own, 0L, (long) data.length, ""))
            .setStride(FORMAT.stride())
            .setFile(new FileInPlace((long) data.length, "5000", ""))
            .build();
    assertThatCode(() -> files.check(inPlace, side)).doesNotThrowAnyException();
    Files.setLastModifiedTime(own, FileTime.fromMillis(6_000));
    assertThatThrownBy(() -> files.check(inPlace, side))
        .hasMessage(own + " was changed since its rows were hashed");
  }
}
