package io.sluice.corpus.inplace;

import io.sluice.control.error.BadInputException;
import io.sluice.corpus.tokens.FileWindow;
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
import java.util.ArrayList;
import java.util.List;

/**
 * One pass over the files of a domain whose rows are its blocks: checks every id, hashes every row,
 * and says of each which documents it has parts of.
 */
public final class RowScan {
  private static final int AHEAD = 1 << 20;

  /** Of a segment, which readers map. */
  private static final int MOST_ROWS = 1 << 15;

  private static final int MOST_BYTES = 256 << 20;

  private final DatasetSpec spec;
  private final String domain;
  private final List<RowFile> files;
  private final RowSplit split;
  private final Sink sink;
  private final RowFormat format;
  private final RowHash hash;
  private final RowParts parts;
  private final List<SideRow> open = new ArrayList<>();
  private long row;
  private int lane;
  private long documents;

  /** Takes what is found, in the order of the rows. */
  public interface Sink {
    /**
     * Takes a segment.
     *
     * @param segment without its side, and the time
     * @param side its bytes
     */
    void training(Segment.Builder segment, byte[] side) throws IOException;

    /** Takes a held-out block. */
    void heldOut(TokenBlock block) throws IOException;

    /** Hears of so many more bytes. */
    void read(long bytes);
  }

  /**
   * A pass over files.
   *
   * @param files in their order
   */
  public RowScan(DatasetSpec spec, String domain, List<RowFile> files, Sink sink) {
    this.spec = spec;
    this.domain = domain;
    this.files = List.copyOf(files);
    this.split = RowSplit.of(spec, files.stream().mapToLong(RowFile::rows).sum());
    this.sink = sink;
    this.format = RowFormat.of(spec);
    this.hash = new RowHash(format);
    this.parts = new RowParts(domain, IdHash.in(spec.getDocumentIds()));
  }

  /** Which rows are what. */
  public RowSplit split() {
    return split;
  }

  /** Documents that rows which were read have parts of. */
  public long documents() {
    return documents;
  }

  /**
   * Reads everything.
   *
   * @throws BadInputException naming file and byte, if an id is not of the vocabulary or a file has
   *     changed
   */
  public void run() {
    for (RowFile file : files) {
      try (FileWindow bytes = new FileWindow(file.ids(), AHEAD)) {
        read(file, bytes);
        if (!file.isAsItWas()) {
          throw new IOException("it was changed while it was read");
        }
      } catch (IOException e) {
        throw new BadInputException(file.path() + ": " + e.getMessage(), e);
      }
    }
  }

  private void read(RowFile file, FileWindow bytes) throws IOException {
    byte[] padded = new byte[format.stride()];
    ByteBuffer tokens = ByteBuffer.wrap(padded, 0, format.bytes()).slice();
    tokens.order(ByteOrder.LITTLE_ENDIAN);
    for (long each = 0; each < file.rows(); each++) {
      long place = file.offset() + each * file.stride();
      bytes.read(place, padded, 0, format.bytes());
      requireKnown(tokens, place);
      parts.begin(file.source());
      file.documents().addTo(parts, tokens);
      if (row < split.training()) {
        while (row >= split.first(lane + 1)) {
          lane++;
        }
        open.add(
            SideRow.whole(hash.of(padded, 0), format.labels(), parts.lengths(), parts.documents()));
        if (open.size() == Math.max(1, Math.min(MOST_ROWS, MOST_BYTES / file.stride()))
            || row + 1 == split.first(lane + 1)
            || each + 1 == file.rows()) {
          close(file, place);
        }
      } else {
        sink.heldOut(block(row - split.training(), padded));
      }
      documents += parts.begun();
      row++;
      sink.read(file.stride());
    }
  }

  private void requireKnown(ByteBuffer tokens, long place) throws IOException {
    int width = format.width();
    for (int i = 0; i < format.tokens(); i++) {
      long id = Ids.at(tokens, i, width);
      if (id >= spec.getVocabulary()) {
        throw new IOException(
            "the id at byte %d must be in [0, %d): found %d"
                .formatted(place + (long) i * width, spec.getVocabulary(), id));
      }
    }
  }

  /** Hands on the rows that are open, the last of which begins at a place. */
  private void close(RowFile file, long last) throws IOException {
    int rows = open.size();
    long begin = last - (long) (rows - 1) * file.stride();
    sink.training(
        Segment.newBuilder()
            .setDataset(spec.getName())
            .setFingerprint(spec.getFingerprint())
            .setDomain(domain)
            .setLane(lane)
            .setFirst(row + 1 - rows - split.first(lane))
            .setRows(rows)
            .setEnded(row + 1 == split.first(lane + 1))
            .setData(new StoredPart(file.uri(), begin, last + format.bytes() - begin, ""))
            .setStride(file.stride())
            .setFile(file.file()),
        SegmentSide.encode(open, format.labels()));
    open.clear();
  }

  private TokenBlock block(long number, byte[] padded) {
    List<Integer> lengths = new ArrayList<>();
    for (int length : parts.lengths()) {
      lengths.add(length);
    }
    return TokenBlock.newBuilder()
        .setFingerprint(spec.getFingerprint())
        .setDomain(domain)
        .setLane((int) (number % spec.getLanes()))
        .setOrdinal(number / spec.getLanes())
        .setTokenWidth(format.width())
        .setTokens(ByteBuffer.wrap(padded.clone(), 0, format.bytes()))
        .setDocumentLengths(lengths)
        .setDocumentIds(parts.ids())
        .setTrainedTokens(format.labels())
        .build();
  }
}
