package io.sluice.lab.bench.prepare;

import io.sluice.jobs.prepare.tokenizer.Tokenizer;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The limit: nothing but tokenizing texts that are in memory, in some threads. */
record BareTokenizer(String name, List<String> texts, double meanBytes) {
  BareTokenizer {
    texts = List.copyOf(texts);
  }

  /** What it did: documents a second, and bytes of tokens for each document. */
  record Speed(double documentsPerSecond, double tokenBytes) {
    double megabytesPerSecond(double meanBytes) {
      return documentsPerSecond * meanBytes / 1e6;
    }
  }

  /** Tokenizes for so many seconds in so many threads. */
  Speed measure(int threads, double seconds) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Speed>> parts = new ArrayList<>();
      for (int n = 0; n < threads; n++) {
        parts.add(pool.submit(() -> tokenize(seconds)));
      }
      double sum = 0;
      double tokenBytes = 0;
      for (Future<Speed> part : parts) {
        sum += part.get().documentsPerSecond();
        tokenBytes = part.get().tokenBytes();
      }
      return new Speed(sum, tokenBytes);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the tokenizer failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while tokenizing", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Speed tokenize(double seconds) {
    try (Tokenizer tokenizer = Tokenizers.forName(name)) {
      long start = System.nanoTime();
      long end = start + (long) (seconds * 1e9);
      long documents = 0;
      long bytes = 0;
      do {
        bytes += tokenizer.encode(texts.get((int) (documents % texts.size()))).length;
        documents++;
      } while (System.nanoTime() < end || documents < texts.size());
      double took = (System.nanoTime() - start) / 1e9;
      return new Speed(documents / took, (double) bytes / documents);
    }
  }
}
