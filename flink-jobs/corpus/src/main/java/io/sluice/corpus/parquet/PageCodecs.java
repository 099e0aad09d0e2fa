package io.sluice.corpus.parquet;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

/**
 * Decompresses pages without Hadoop's codecs. A page is what its header says, neither longer nor
 * shorter, and never takes more than {@link #LARGEST_PAGE}.
 */
final class PageCodecs implements CompressionCodecFactory {
  /** Most bytes of a page; writers make pages of some 1 MiB, or of one value that is larger. */
  static final int LARGEST_PAGE = 256 << 20;

  private static final Set<CompressionCodecName> READ =
      Set.of(
          CompressionCodecName.UNCOMPRESSED,
          CompressionCodecName.SNAPPY,
          CompressionCodecName.GZIP,
          CompressionCodecName.ZSTD);

  /** Refuses a compression that is not read here. */
  static void requireRead(CompressionCodecName codec) throws IOException {
    if (!READ.contains(codec)) {
      throw unread(codec);
    }
  }

  private static IOException unread(CompressionCodecName codec) {
    return new IOException("compression must be none, snappy, gzip or zstd: found " + codec);
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return new Page(codec);
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("nothing is written");
  }

  @Override
  public void release() {}

  private record Page(CompressionCodecName codec) implements BytesInputDecompressor {
    @Override
    public BytesInput decompress(BytesInput page, int size) throws IOException {
      if (size < 0 || size > LARGEST_PAGE) {
        throw new IOException(
            "a page must have at most " + LARGEST_PAGE + " bytes: its header says " + size);
      }
      if (codec == CompressionCodecName.UNCOMPRESSED) {
        return page;
      }
      if (size == 0) {
        return BytesInput.empty();
      }
      return BytesInput.from(decompressed(page.toInputStream().readAllBytes(), size));
    }

    @Override
    public void decompress(ByteBuffer in, int inSize, ByteBuffer out, int outSize) {
      throw new UnsupportedOperationException("pages are read on the heap");
    }

    @Override
    public void release() {}

    private byte[] decompressed(byte[] page, int size) throws IOException {
      byte[] out = new byte[size];
      long found =
          switch (codec) {
            case SNAPPY -> snappy(page, out);
            case GZIP -> gzip(page, out);
            case ZSTD -> zstd(page, out);
            default -> throw unread(codec);
          };
      if (found != size) {
        throw new IOException("a page of " + size + " bytes has others: " + found);
      }
      return out;
    }

    private static long snappy(byte[] page, byte[] out) throws IOException {
      int size = Snappy.uncompressedLength(page);
      return size == out.length ? Snappy.uncompress(page, 0, page.length, out, 0) : size;
    }

    private static long gzip(byte[] page, byte[] out) throws IOException {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(page))) {
        int found = in.readNBytes(out, 0, out.length);
        return in.read() < 0 ? found : found + 1L;
      }
    }

    private static long zstd(byte[] page, byte[] out) throws IOException {
      try {
        return Zstd.decompressByteArray(out, 0, out.length, page, 0, page.length);
      } catch (ZstdException e) {
        throw new IOException("a page is not the zstd that its header says: " + e.getMessage(), e);
      }
    }
  }
}
