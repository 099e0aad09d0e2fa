package io.sluice.corpus.parquet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.xerial.snappy.Snappy;

class PageCodecsTest {
  private static final byte[] TEXT = "text ".repeat(100).getBytes(UTF_8);

  @Test
  void aPageIsWhatItsHeaderSaysNeitherLongerNorShorter() throws IOException {
    Map<CompressionCodecName, byte[]> pages =
        Map.of(
            CompressionCodecName.SNAPPY, Snappy.compress(TEXT),
            CompressionCodecName.GZIP, gzip(),
            CompressionCodecName.ZSTD, Zstd.compress(TEXT));
    for (var page : pages.entrySet()) {
      assertThat(decompressed(page.getKey(), page.getValue(), TEXT.length)).isEqualTo(TEXT);
      for (int size : new int[] {1, TEXT.length - 1, TEXT.length + 1}) {
        assertThatThrownBy(() -> decompressed(page.getKey(), page.getValue(), size))
            .as(page.getKey() + " " + size)
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void aPageThatSaysItIsHugeTakesNoMemory() {
    for (int size : new int[] {-1, PageCodecs.LARGEST_PAGE + 1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> decompressed(CompressionCodecName.ZSTD, Zstd.compress(TEXT), size))
          .isInstanceOf(IOException.class)
          .hasMessage("a page must have at most 268435456 bytes: its header says " + size);
    }
  }

  private static byte[] decompressed(CompressionCodecName codec, byte[] page, int size)
      throws IOException {
    BytesInput in = BytesInput.from(page);
    return new PageCodecs()
        .getDecompressor(codec)
        .decompress(in, size)
        .toInputStream()
        .readAllBytes();
  }

  private static byte[] gzip() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(TEXT);
    }
    return bytes.toByteArray();
  }
}
