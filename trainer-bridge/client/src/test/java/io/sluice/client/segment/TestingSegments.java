package io.sluice.client.segment;

import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Segment;
import io.sluice.schema.StoredPart;
import io.sluice.schema.segment.BlockRows;
import io.sluice.schema.segment.SegmentSide;
import io.sluice.schema.segment.SegmentStore;
import io.sluice.schema.segment.SideRow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Segments that are made of encoded blocks as a sealer makes them, each in objects of its own. */
public final class TestingSegments {
  private final SegmentStore store;
  private final DatasetSpec spec;
  private final BlockRows rows;

  public TestingSegments(Path folder, DatasetSpec spec) {
    this.store = SegmentStore.of("file://" + folder);
    this.spec = spec;
    this.rows = new BlockRows(spec);
  }

  /** A dataset of one lane whose blocks have ids in their names. */
  public static DatasetSpec dataset(
      long fingerprint, int sequenceLength, int tokenWidth, List<String> domains) {
    return DatasetSpec.newBuilder()
        .setName("d")
        .setFingerprint(fingerprint)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setTokenWidth(tokenWidth)
        .setEndOfDocument(256)
        .setPadding(257)
        .setSequenceLength(sequenceLength)
        .setShuffleBuffer(1)
        .setSeed(0)
        .setHeldOut(0)
        .setDomains(domains)
        .build();
  }

  public DatasetFiles files() {
    return new DatasetFiles(store, spec.getName(), Optional.empty());
  }

  /** Seals blocks that follow each other. */
  public Segment seal(String domain, int lane, long first, List<byte[]> blocks, boolean ended) {
    ByteArrayOutputStream data = new ByteArrayOutputStream();
    List<BlockRows.Row> made = blocks.stream().map(block -> rows.of(domain, block)).toList();
    made.forEach(row -> data.writeBytes(row.data()));
    List<SideRow> said = made.stream().map(BlockRows.Row::side).toList();
    return Segment.newBuilder()
        .setDataset(spec.getName())
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane(lane)
        .setFirst(first)
        .setRows(blocks.size())
        .setEnded(ended)
        .setData(store(data.toByteArray(), SegmentStore.DATA_ALIGNMENT, "rows"))
        .setSide(
            store(
                SegmentSide.encode(said, spec.getSequenceLength()),
                SegmentStore.SIDE_ALIGNMENT,
                "side"))
        .setTimeMillis(0)
        .build();
  }

  /** An object in which something else is first. */
  private StoredPart store(byte[] part, int before, String kind) {
    byte[] object = new byte[before + part.length];
    System.arraycopy(part, 0, object, before, part.length);
    String name = spec.getName() + "/" + sha256(object) + "." + kind;
    try {
      Files.createDirectories(store.file(name).getParent());
      Files.write(store.file(name), object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new StoredPart(name, (long) before, (long) part.length, sha256(part));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
