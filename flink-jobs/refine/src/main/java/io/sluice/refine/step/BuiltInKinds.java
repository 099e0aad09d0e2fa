package io.sluice.refine.step;

import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.classify.LinearClassifier;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.model.ModelKinds;
import io.sluice.refine.model.ModelReader;
import io.sluice.refine.perplexity.NgramModel;
import io.sluice.refine.perplexity.PerplexityModel;
import io.sluice.refine.targets.BenchmarkGrams;
import java.util.List;

/** The kinds of models that need no library of others. */
public final class BuiltInKinds implements ModelKinds {
  @Override
  public List<ModelReader<?>> readers() {
    return List.of(
        new ModelReader<>(BenchmarkGrams.KIND, BenchmarkGrams.class, BenchmarkGrams::of),
        new ModelReader<>(LinearClassifier.KIND, TextClassifier.class, LinearClassifier::of),
        new ModelReader<>(NgramModel.KIND, PerplexityModel.class, NgramModel::of),
        new ModelReader<>(ClusterModel.KIND, ClusterModel.class, ClusterModel::of),
        new ModelReader<>(BasisModel.KIND, BasisModel.class, BasisModel::of));
  }
}
