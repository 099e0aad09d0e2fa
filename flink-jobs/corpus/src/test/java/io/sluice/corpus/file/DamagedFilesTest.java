package io.sluice.corpus.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.sluice.control.line.Line;
import io.sluice.control.line.LineReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DamagedFilesTest {
  private static final int ROUNDS = Boolean.getBoolean("sluice.full") ? 1_000_000 : 2_000;
  private static final List<String> LINES =
      IntStream.range(0, 40).mapToObj(i -> "{\"text\": \"line " + i * i * 7919 + "\"}").toList();

  @ParameterizedTest
  @ValueSource(strings = {"a.jsonl.gz", "a.jsonl.zst"})
  void ofAFileThatIsCutOffTheLinesBeforeAreReadAndThenAnError(String name) throws IOException {
    byte[] whole = compressed(name);
    assertThat(read(name, whole)).isEqualTo(new Reading(LINES, false));
    for (int length = 1; length < whole.length; length++) {
      Reading cut = read(name, Arrays.copyOf(whole, length));
      assertThat(cut.failed).as("%s bytes", length).isTrue();
      assertThat(cut.lines).as("%s bytes", length).isEqualTo(LINES.subList(0, cut.lines.size()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.jsonl.gz", "a.jsonl.zst"})
  void aDamagedFileEndsInAnErrorOrIsReadAsItWas(String name) throws IOException {
    byte[] whole = compressed(name);
    Random random = new Random(4);
    long failed = 0;
    for (int round = 0; round < ROUNDS; round++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      Reading reading = read(name, damaged);
      if (reading.failed) {
        failed++;
      } else {
        assertThat(reading.lines).as("round %s", round).isEqualTo(LINES);
      }
    }
    assertThat(failed).isGreaterThan(ROUNDS / 2);
  }

  /** Whole lines, and whether an error followed. */
  private record Reading(List<String> lines, boolean failed) {}

  private static Reading read(String name, byte[] bytes) {
    List<String> lines = new ArrayList<>();
    try (InputStream in = Content.open(name, new ByteArrayInputStream(bytes), read -> {})) {
      LineReader reader = new LineReader(in, 1000, 1000);
      for (Line line = reader.next(); line != null; line = reader.next()) {
        lines.add(new String(line.bytes(), UTF_8));
      }
      return new Reading(lines, false);
    } catch (IOException e) {
      return new Reading(lines, true);
    }
  }

  private static byte[] compressed(String name) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream packed = name.endsWith(".gz") ? new GZIPOutputStream(out) : checked(out)) {
      packed.write(String.join("\n", LINES).getBytes(UTF_8));
    }
    return out.toByteArray();
  }

  private static OutputStream checked(OutputStream out) throws IOException {
    ZstdOutputStream packed = new ZstdOutputStream(out);
    packed.setChecksum(true);
    return packed;
  }
}
