package io.sluice.refine.perplexity;

import io.sluice.refine.bucket.BucketSettings;
import io.sluice.refine.bucket.Buckets;
import io.sluice.refine.text.Words;
import java.io.IOException;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Documents a second of one thread: every second page and source file of this repository, by a
 * model of the others; {@code -Dsluice.texts=FOLDER} for those of another folder.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PerplexityBenchmark {
  private static final int MOST_DOCUMENTS = 20_000;

  private final List<String> texts = new ArrayList<>();
  private final List<Words> words = new ArrayList<>();
  private final Buckets buckets = new Buckets(BucketSettings.STANDARD);
  private NgramModel model = new NgramTrainer(NgramSettings.STANDARD).model();
  private int next;
  private long counted;

  /** Reads the texts and trains the model. */
  @Setup
  public void train() throws IOException {
    NgramTrainer trainer = new NgramTrainer(NgramSettings.STANDARD);
    Path folder = Path.of(System.getProperty("sluice.texts", "../.."));
    try (Stream<Path> found = Files.walk(folder)) {
      List<Path> files =
          found.filter(PerplexityBenchmark::isText).sorted().limit(2 * MOST_DOCUMENTS).toList();
      for (int i = 0; i < files.size(); i++) {
        String text = Files.readString(files.get(i));
        if (i % 2 == 0) {
          trainer.add(Words.of(text));
        } else {
          texts.add(text);
          words.add(Words.of(text));
        }
      }
    }
    model = trainer.model();
    System.out.printf(
        "%d documents of %d words each; trained on %d words, n-grams %s%n",
        words.size(),
        words.stream().mapToLong(Words::size).sum() / words.size(),
        model.words(),
        model.ngrams());
  }

  private static boolean isText(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file)
        && (name.endsWith(".md") || name.endsWith(".java") || name.endsWith(".txt"));
  }

  /** A text's words, their perplexity, and its bucket. */
  @Benchmark
  public int document() {
    String text = texts.get(next());
    double perplexity = model.perplexity(Words.of(text)).orElse(1);
    int bucket = buckets.of(perplexity);
    buckets.add(perplexity, text.length() + 1);
    return bucket;
  }

  /** The words of a text alone. */
  @Benchmark
  public int words() {
    return Words.of(texts.get(next())).size();
  }

  /** The perplexity of words alone. */
  @Benchmark
  public double perplexity() {
    return model.perplexity(words.get(next())).orElse(1);
  }

  /** The bucket of a perplexity alone. */
  @Benchmark
  public Object bucket() {
    double value = ++counted * 0.618033988749895 % 1;
    return buckets.add(value, 1 + buckets.of(value));
  }

  private int next() {
    next = next + 1 < texts.size() ? next + 1 : 0;
    return next;
  }
}
