package io.sluice.corpus.file;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;

/** What a file's name says about its bytes. */
public final class Content {
  private static final int BUFFER = 64 << 10;
  private static final int PROBE = 8 << 10;

  private Content() {}

  /** The format that the settings or the file's name give. */
  public static Format format(Format wanted, String name) {
    if (wanted != Format.AUTO) {
      return wanted;
    }
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".parquet")) {
      return Format.PARQUET;
    }
    String inner = lower.replaceFirst("\\.(gz|zstd?)$", "");
    return inner.endsWith(".jsonl") || inner.endsWith(".ndjson") ? Format.JSONL : Format.TEXT;
  }

  /**
   * The file's content, decompressed when its name ends in {@code .gz}, {@code .zst} or {@code
   * .zstd}.
   *
   * @param raw the file's bytes
   * @param read told how many raw bytes were taken each time
   */
  public static InputStream open(String name, InputStream raw, LongConsumer read)
      throws IOException {
    InputStream counted = new Counting(raw, read);
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.endsWith(".gz")) {
      return new GZIPInputStream(new BufferedInputStream(counted, BUFFER), BUFFER);
    }
    if (lower.endsWith(".zst") || lower.endsWith(".zstd")) {
      return new ZstdInputStream(new BufferedInputStream(counted, BUFFER));
    }
    return counted;
  }

  /** Whether the file's content is another than its bytes. */
  public static boolean isCompressed(String name) {
    return name.toLowerCase(Locale.ROOT).matches("(?s).*\\.(gz|zstd?)");
  }

  /** Whether there is a NUL byte among the first 8 KiB. */
  public static boolean isBinary(byte[] bytes) {
    for (int i = 0; i < Math.min(bytes.length, PROBE); i++) {
      if (bytes[i] == 0) {
        return true;
      }
    }
    return false;
  }

  private static final class Counting extends FilterInputStream {
    private final LongConsumer read;

    Counting(InputStream in, LongConsumer read) {
      super(in);
      this.read = read;
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      if (value >= 0) {
        read.accept(1);
      }
      return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = super.read(target, offset, length);
      if (count > 0) {
        read.accept(count);
      }
      return count;
    }
  }
}
