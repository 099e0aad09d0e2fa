package io.sluice.models.text;

import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.cluster.Embedder;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.model.ModelKinds;
import io.sluice.refine.model.ModelReader;
import io.sluice.refine.perplexity.PerplexityModel;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The kinds of neural models. All tasks of a process have one copy of a model, which is large, and
 * is outside the heap.
 */
public final class NeuralKinds implements ModelKinds {
  @Override
  public List<ModelReader<?>> readers() {
    return List.of(
        reader(NeuralClassifier.KIND, TextClassifier.class, NeuralClassifier::new),
        reader(NeuralEmbedder.KIND, Embedder.class, NeuralEmbedder::new),
        reader(NeuralPerplexity.KIND, PerplexityModel.class, NeuralPerplexity::new));
  }

  private static <T> ModelReader<T> reader(
      String kind, Class<T> type, Function<ModelDirectory, T> read) {
    Map<String, WeakReference<T>> shared = new HashMap<>();
    return new ModelReader<>(
        kind,
        type,
        model -> {
          synchronized (shared) {
            shared.values().removeIf(held -> held.get() == null);
            WeakReference<T> held = shared.get(model.hash());
            T had = held == null ? null : held.get();
            if (had != null) {
              return had;
            }
            T made = read.apply(model);
            shared.put(model.hash(), new WeakReference<>(made));
            return made;
          }
        });
  }
}
