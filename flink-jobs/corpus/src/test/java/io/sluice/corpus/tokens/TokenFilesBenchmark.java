package io.sluice.corpus.tokens;

import io.sluice.control.line.RefusedException;
import io.sluice.corpus.file.LocalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Reads 64 MiB of token ids in documents of about 1,000, and checks each id. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TokenFilesBenchmark {
  private static final int IDS = 32 << 20;
  private static final int VOCABULARY = 50_257;
  private static final TokenLayout LAYOUT =
      new TokenLayout(TokenType.INT64, Optional.empty(), "id", 0, 1 << 20);

  private Path folder = Path.of("");

  /** An array of NumPy, and the same for Megatron. */
  @Setup
  public void write() throws IOException {
    folder = Files.createTempDirectory("tokens");
    Random random = new Random(7);
    ByteBuffer ids = ByteBuffer.allocate(2 * IDS).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < IDS; i++) {
      ids.putShort((short) (i % 1000 == 999 ? 0 : 1 + random.nextInt(VOCABULARY - 1)));
    }
    String shape = "{'descr': '<u2', 'fortran_order': False, 'shape': (" + IDS + ",), }";
    ByteBuffer array =
        ByteBuffer.allocate(10 + shape.length() + 2 * IDS).order(ByteOrder.LITTLE_ENDIAN);
    array.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    array.putShort((short) shape.length());
    shape.chars().forEach(c -> array.put((byte) c));
    Files.write(folder.resolve("ids.npy"), array.put(ids.array()).array());
    Files.write(folder.resolve("ids.bin"), ids.array());
    Files.write(folder.resolve("ids.idx"), index(IDS / 1000).array());
  }

  private static ByteBuffer index(int documents) {
    ByteBuffer index = ByteBuffer.allocate(34 + 12 * documents + 8 * (documents + 1));
    index.order(ByteOrder.LITTLE_ENDIAN).put(new byte[] {'M', 'M', 'I', 'D', 'I', 'D', 'X', 0, 0});
    index.putLong(1).put((byte) 8).putLong(documents).putLong(documents + 1L);
    for (int i = 0; i < documents; i++) {
      index.putInt(1000);
    }
    for (int i = 0; i < documents; i++) {
      index.putLong(2000L * i);
    }
    for (int i = 0; i <= documents; i++) {
      index.putLong(i);
    }
    return index;
  }

  @TearDown
  public void delete() throws IOException {
    for (String name : new String[] {"ids.npy", "ids.bin", "ids.idx"}) {
      Files.delete(folder.resolve(name));
    }
    Files.delete(folder);
  }

  /** An array that is divided behind each end. */
  @Benchmark
  public long numpy() throws IOException, RefusedException {
    return read("ids.npy");
  }

  /** An index with its ids. */
  @Benchmark
  public long megatron() throws IOException, RefusedException {
    return read("ids.idx");
  }

  private long read(String name) throws IOException, RefusedException {
    TokenIds ids = new TokenIds(VOCABULARY, 2);
    long bytes = 0;
    try (TokenFile file = TokenFiles.open(LocalFile.of(folder.resolve(name)), LAYOUT)) {
      for (TokenRow row = file.next(); row != null; row = file.next()) {
        bytes += ids.of(row).length;
      }
    }
    return bytes;
  }
}
