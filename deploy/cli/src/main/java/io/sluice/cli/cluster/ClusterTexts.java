package io.sluice.cli.cluster;

import io.sluice.refine.cluster.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/** Embeds texts on all processors, a few at a time, and hands the vectors on in their order. */
final class ClusterTexts {
  private static final int MOST_TEXTS = 256;
  private static final long MOST_CHARACTERS = 1L << 24;

  private final Embedder embedder;
  private final BiConsumer<String, float[]> vectors;
  private final List<String> waiting = new ArrayList<>();
  private long characters;

  ClusterTexts(Embedder embedder, BiConsumer<String, float[]> vectors) {
    this.embedder = embedder;
    this.vectors = vectors;
  }

  void add(String text) {
    waiting.add(text);
    characters += text.length();
    if (waiting.size() == MOST_TEXTS || characters >= MOST_CHARACTERS) {
      flush();
    }
  }

  /** Embeds what waits. */
  void flush() {
    float[][] embedded =
        IntStream.range(0, waiting.size())
            .parallel()
            .mapToObj(i -> embedder.embed(waiting.get(i)))
            .toArray(float[][]::new);
    for (int i = 0; i < embedded.length; i++) {
      vectors.accept(waiting.get(i), embedded[i]);
    }
    waiting.clear();
    characters = 0;
  }
}
