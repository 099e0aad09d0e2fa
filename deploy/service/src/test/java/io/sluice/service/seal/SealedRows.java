package io.sluice.service.seal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.segment.BlockRows;
import io.sluice.schema.segment.SealedLanes;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the records of a dataset's segments say, held against the files and the blocks. */
final class SealedRows {
  private final DatasetSpec spec;
  private final Objects objects;
  private final List<Segment> records = new ArrayList<>();
  private final SealedLanes lanes;

  /** The bytes of objects by their names. */
  interface Objects {
    byte[] read(String object) throws IOException;
  }

  private SealedRows(DatasetSpec spec, Objects objects) {
    this.spec = spec;
    this.objects = objects;
    this.lanes = new SealedLanes(spec.getFingerprint());
  }

  /** Those of a store that is a folder. */
  static SealedRows read(KafkaAccess access, DatasetSpec spec) {
    SegmentStore store = SegmentStore.of(spec.getStore());
    return read(access, spec, object -> Files.readAllBytes(store.file(object)));
  }

  static SealedRows read(KafkaAccess access, DatasetSpec spec, Objects objects) {
    SealedRows rows = new SealedRows(spec, objects);
    try (TopicReader reader = TopicReader.committed(access)) {
      reader.catchUp(
          access.topics().segments(spec.getName()),
          Duration.ofMinutes(1),
          message -> rows.records.add(WireCodec.decode(Segment.class, message.value())));
    }
    rows.records.forEach(rows.lanes::take);
    return rows;
  }

  List<Segment> records() {
    return records;
  }

  SealedLanes lanes() {
    return lanes;
  }

  /** Names of the files that objects are in. */
  static Set<String> objects(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return new TreeSet<>(
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("owner"))
              .toList());
    }
  }

  /** Every segment is whole, and has the blocks of its ordinals. */
  void requireTrue() throws IOException {
    BlockRows rows = new BlockRows(spec);
    for (Segment segment : records) {
      byte[] data = part(segment.getData(), SegmentStore.DATA_ALIGNMENT);
      byte[] side = part(segment.getSide(), SegmentStore.SIDE_ALIGNMENT);
      SegmentSide said = SegmentSide.decode(ByteBuffer.wrap(side));
      int stride = rows.format().stride();
      assertThat(said.rows()).isEqualTo(segment.getRows());
      assertThat(data).hasSize(segment.getRows() * stride);
      for (int row = 0; row < said.rows(); row++) {
        BlockRows.Row wanted =
            rows.of(
                segment.getDomain(),
                WireCodec.encode(
                    TestingBlocks.block(
                        spec, segment.getDomain(), segment.getLane(), segment.getFirst() + row)));
        assertThat(Arrays.copyOfRange(data, row * stride, (row + 1) * stride))
            .isEqualTo(wanted.data());
        assertThat(said.row(row)).isEqualTo(wanted.side());
      }
    }
  }

  private byte[] part(StoredPart part, int alignment) throws IOException {
    byte[] object = objects.read(part.getObject());
    assertThat(part.getObject()).contains("/" + sha256(object) + ".");
    assertThat(part.getOffset() % alignment).isZero();
    int from = Math.toIntExact(part.getOffset());
    byte[] bytes = Arrays.copyOfRange(object, from, Math.toIntExact(from + part.getLength()));
    assertThat(sha256(bytes)).isEqualTo(part.getSha256());
    return bytes;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
