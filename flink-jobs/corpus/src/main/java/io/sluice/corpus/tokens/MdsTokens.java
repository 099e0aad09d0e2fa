package io.sluice.corpus.tokens;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.corpus.file.Content;
import io.sluice.corpus.file.StoredFile;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a shard of MosaicML's streaming data sets, compressed or not. It says itself what
 * its columns are, so that the {@code index.json} beside it is not read. See {@code
 * streaming/base/format/mds/writer.py} for the format: number of samples, where each begins and the
 * last ends (4 bytes each), columns as JSON, samples; of a sample the sizes of its columns without
 * a fixed size (4 bytes each), then the columns.
 */
final class MdsTokens implements TokenFile {
  private static final int MOST_SAMPLES = 1 << 24;
  private static final int LONGEST_CONFIG = 1 << 20;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final TokenLayout layout;
  private final DataInputStream in;
  private byte[] ends = {};
  private long at;
  private int samples;
  private int sample;
  private MdsColumns columns = MdsColumns.NONE;

  private MdsTokens(InputStream in, TokenLayout layout) {
    this.in = new DataInputStream(in);
    this.layout = layout;
  }

  /** Opens a shard. */
  static MdsTokens open(StoredFile shard, TokenLayout layout) throws IOException {
    InputStream raw = shard.open(0);
    try {
      MdsTokens result = new MdsTokens(Content.open(shard.name(), raw, bytes -> {}), layout);
      result.readHeader();
      return result;
    } catch (IOException | RuntimeException e) {
      raw.close();
      throw e;
    }
  }

  @Override
  public @Nullable TokenRow next() throws IOException {
    if (sample == samples) {
      return null;
    }
    sample++;
    long end = end(sample);
    if (end < at) {
      throw new IOException("sample " + sample + " must end behind byte " + at + ": found " + end);
    }
    long length = end - at;
    at = end;
    // Other columns of the sample are there, too; a text is no more than eight times its ids.
    if (length > 16L * layout.largest() || length > Integer.MAX_VALUE - 16) {
      in.skipNBytes(length);
      return refused(layout.tooLarge(length));
    }
    byte[] bytes = in.readNBytes((int) length);
    if (bytes.length < length) {
      throw new EOFException("the shard ends in sample " + sample);
    }
    return row(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Override
  public double done() {
    return samples == 0 ? 1 : (double) sample / samples;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void readHeader() throws IOException {
    byte[] count = exactly(Integer.BYTES);
    long all =
        Integer.toUnsignedLong(ByteBuffer.wrap(count).order(ByteOrder.LITTLE_ENDIAN).getInt());
    if (all > MOST_SAMPLES) {
      throw new IOException(
          "not a shard of MDS: it must have at most " + MOST_SAMPLES + " samples: found " + all);
    }
    samples = (int) all;
    ends = exactly(Integer.BYTES * (samples + 1));
    at = end(0);
    long config = at - Integer.BYTES * (samples + 2L);
    if (config < 2 || config > LONGEST_CONFIG) {
      throw new IOException(
          "not a shard of MDS: its columns must take 2 to "
              + LONGEST_CONFIG
              + " bytes: found "
              + config);
    }
    columns = MdsColumns.of(JSON.readTree(exactly((int) config)), layout);
  }

  private TokenRow row(ByteBuffer data) {
    List<Integer> sizes = columns.sizes();
    long[] places = new long[sizes.size() + 1];
    int variable = (int) sizes.stream().filter(size -> size == 0).count();
    if (data.remaining() < Integer.BYTES * variable) {
      return refused("the sample has " + data.remaining() + " bytes, less than its sizes");
    }
    for (int each = 0; each < sizes.size(); each++) {
      int size = sizes.get(each);
      places[each + 1] = places[each] + (size > 0 ? size : Integer.toUnsignedLong(data.getInt()));
    }
    if (places[sizes.size()] != data.remaining()) {
      return refused(
          "the sample has " + data.remaining() + " bytes, and columns of " + places[sizes.size()]);
    }
    byte[] value = part(data, places, columns.tokens());
    if (value.length > layout.largest()) {
      return refused(layout.tooLarge(value.length));
    }
    TokenRow row = columns.ids().read(sample, value);
    return columns.id() < 0
        ? row
        : new TokenRow(
            sample, part(data, places, columns.id()), row.type(), row.tokens(), row.refusal());
  }

  private static byte[] part(ByteBuffer data, long[] places, int column) {
    byte[] value = new byte[(int) (places[column + 1] - places[column])];
    data.get(data.position() + (int) places[column], value);
    return value;
  }

  private TokenRow refused(String why) {
    return TokenRow.refused(sample, layout.bytesType(), why);
  }

  private long end(int which) {
    return Integer.toUnsignedLong(
        ByteBuffer.wrap(ends).order(ByteOrder.LITTLE_ENDIAN).getInt(Integer.BYTES * which));
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("not a shard of MDS: it ends before its samples begin");
    }
    return bytes;
  }
}
