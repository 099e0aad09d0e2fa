package io.sluice.corpus.document;

import io.sluice.corpus.file.Format;
import io.sluice.corpus.file.SourceFiles;
import io.sluice.corpus.range.FileRange;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.Document;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
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

/** Ingests 64 MB of JSONL in documents of about 3 kB, up to the records for Kafka. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ByReferenceBenchmark {
  private static final long BYTES = 64_000_000;
  private static final IngestSettings SETTINGS =
      new IngestSettings("web", Format.JSONL, IngestSettings.DEFAULT_DOCUMENT);

  private Path file = Path.of("");

  /** Takes the bytes of records. */
  private static final class Counting implements DocumentSink {
    private long bytes;

    @Override
    public void document(Document document, byte[] encoded) {
      bytes += encoded.length;
    }

    @Override
    public void ranges(List<FileRange> ranges) {
      ranges.forEach(range -> bytes += WireCodec.encode(range.said()).length);
    }

    @Override
    public void deadLetter(DeadLetter letter) {
      throw new IllegalStateException(letter.getReason());
    }
  }

  /** Words of letters that are drawn by chance. */
  @Setup
  public void write() throws IOException {
    file = Files.createTempFile("web", ".jsonl");
    Random random = new Random(7);
    try (Writer out = Files.newBufferedWriter(file)) {
      long written = 0;
      while (written < BYTES) {
        StringBuilder line = new StringBuilder("{\"text\": \"");
        for (int word = 0; word < 500; word++) {
          for (int letter = random.nextInt(9); letter >= 0; letter--) {
            line.append((char) ('a' + random.nextInt(26)));
          }
          line.append(word % 50 == 49 ? "\\n" : " ");
        }
        out.append(line.append("\"}\n"));
        written += line.length();
      }
    }
  }

  @TearDown
  public void delete() throws IOException {
    Files.delete(file);
  }

  /** Documents, made on one thread beside the one that reads. */
  @Benchmark
  public long copyOnOneThread() {
    return copy(1);
  }

  /** Documents, made on all processors. */
  @Benchmark
  public long copy() {
    return copy(Runtime.getRuntime().availableProcessors());
  }

  /** Ranges of the file. */
  @Benchmark
  public long reference() {
    Counting sink = new Counting();
    new RangeIngestor(SETTINGS, sink, InstantSource.system(), bytes -> {})
        .files(SourceFiles.local(List.of(file), false));
    return sink.bytes;
  }

  private long copy(int threads) {
    Counting sink = new Counting();
    new Ingestor(SETTINGS, sink, InstantSource.system(), bytes -> {}, threads).paths(List.of(file));
    return sink.bytes;
  }
}
