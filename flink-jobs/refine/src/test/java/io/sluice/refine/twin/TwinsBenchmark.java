package io.sluice.refine.twin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Documents that are signed, and looked for among a quarter of them in memory, on one thread. They
 * are the files of a folder that are UTF-8, of 200 bytes to 1 MB.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TwinsBenchmark {
  private static final int MOST_DOCUMENTS = 20_000;
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;

  /** The folder. */
  @Param("..")
  public String folder = "";

  private final List<String> documents = new ArrayList<>();
  private final List<Signature> signatures = new ArrayList<>();
  private Twins twins = twins(1);
  private long next;

  @Setup
  public void read() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(folder))) {
      files.filter(Files::isRegularFile).sorted().forEach(this::read);
    }
    documents.forEach(document -> signatures.add(SCHEME.sign(document)));
    twins = twins(Math.max(1, documents.size() / 4));
    System.out.printf(
        "%d documents, %d characters%n",
        documents.size(), documents.stream().mapToLong(String::length).sum());
  }

  @Benchmark
  public Signature sign() {
    return SCHEME.sign(documents.get(index()));
  }

  @Benchmark
  public boolean add() {
    return twins.add(new DocumentPlace(0, next), signatures.get(index())).isPresent();
  }

  @Benchmark
  public boolean signAndAdd() {
    return twins.add(new DocumentPlace(0, next), sign()).isPresent();
  }

  private void read(Path file) {
    try {
      long size = Files.size(file);
      if (documents.size() < MOST_DOCUMENTS && size >= 200 && size <= 1_000_000) {
        documents.add(Files.readString(file));
      }
    } catch (CharacterCodingException e) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int index() {
    return (int) (next++ % documents.size());
  }

  private static Twins twins(long keep) {
    return new Twins(SCHEME, new MemoryTwinTable(), Twins.DEFAULT_LEAST, keep);
  }
}
