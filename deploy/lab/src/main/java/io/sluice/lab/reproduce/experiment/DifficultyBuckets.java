package io.sluice.lab.reproduce.experiment;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.refine.perplexity.NgramModel;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.text.Words;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Passages by how hard they are for a trigram model, in buckets of equal bytes. */
final class DifficultyBuckets {
  private static final NgramSettings SETTINGS = new NgramSettings(3, 400_000, 4_096);

  private DifficultyBuckets() {}

  /**
   * Buckets of passages, easiest first.
   *
   * @param learned what the model is trained on, none of which is in a bucket
   * @param prefix of the buckets' names, before their number
   */
  static Map<String, List<Passage>> of(
      List<Passage> passages, List<Passage> learned, String prefix, int buckets) {
    NgramTrainer trainer = new NgramTrainer(SETTINGS);
    learned.forEach(passage -> trainer.add(Words.of(passage.text())));
    NgramModel model = trainer.model();
    record Scored(Passage passage, double perplexity) {}
    List<Scored> scored = new ArrayList<>();
    for (Passage passage : passages) {
      model
          .perplexity(Words.of(passage.text()))
          .ifPresent(perplexity -> scored.add(new Scored(passage, perplexity)));
    }
    scored.sort(Comparator.comparingDouble(Scored::perplexity));
    long all = scored.stream().mapToLong(each -> bytes(each.passage)).sum();
    Map<String, List<Passage>> cut = new LinkedHashMap<>();
    long before = 0;
    for (Scored each : scored) {
      int bucket = (int) Math.min(buckets - 1, before * buckets / all);
      cut.computeIfAbsent(prefix + bucket, name -> new ArrayList<>()).add(each.passage);
      before += bytes(each.passage);
    }
    return cut;
  }

  private static long bytes(Passage passage) {
    return passage.text().getBytes(UTF_8).length;
  }
}
