package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.corpus.Library;
import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.lab.reproduce.corpus.SampledTexts;
import io.sluice.lab.reproduce.corpus.SampledTexts.Amounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The texts of a trial's domains, drawn for its seed. */
record Domains(Map<String, SampledTexts> texts) {
  /** Draws as much of each. */
  static Domains draw(Library library, List<String> names, long seed, Amounts amounts) {
    Map<String, Amounts> each = new LinkedHashMap<>();
    names.forEach(name -> each.put(name, amounts));
    return new Domains(SampledTexts.draw(library, each, seed));
  }

  /** Those of one. */
  SampledTexts of(String name) {
    return Objects.requireNonNull(texts.get(name));
  }

  /** One part of each. */
  Map<String, List<Passage>> part(Function<SampledTexts, List<Passage>> part) {
    Map<String, List<Passage>> parts = new LinkedHashMap<>();
    texts.forEach((name, sampled) -> parts.put(name, part.apply(sampled)));
    return parts;
  }

  /** Equal weights for these names, none for the others. */
  static Map<String, Double> uniform(List<String> all, List<String> names) {
    Map<String, Double> weights = new LinkedHashMap<>();
    all.forEach(name -> weights.put(name, names.contains(name) ? 1.0 / names.size() : 0.0));
    return weights;
  }
}
