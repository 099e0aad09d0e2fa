package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
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
  private static final int TEST = 40_000;
  private static final int HELD_OUT = 16_384;
  private static final int MOST = 4 << 20;

  /** Draws as much of each. */
  static Domains draw(Library library, List<String> names, long seed, Amounts amounts) {
    Map<String, Amounts> each = new LinkedHashMap<>();
    names.forEach(name -> each.put(name, amounts));
    return new Domains(SampledTexts.draw(library, each, seed));
  }

  /**
   * A trial whose arms mix domains of a library as they are, of each half of a run's tokens at
   * most, and are tested on all of them.
   *
   * @param name of the setting
   */
  static Trial trial(
      String name, long seed, Library library, List<String> domains, Scale scale, List<Arm> arms) {
    int bytes = (int) Math.min(scale.tokens() / 2, MOST);
    Domains drawn = draw(library, domains, seed, new Amounts(TEST, 0, bytes));
    return new Trial(
        name,
        seed,
        Texts.training(drawn.part(SampledTexts::train), HELD_OUT),
        Texts.test(drawn.part(SampledTexts::test)),
        arms);
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

  /**
   * Values in the order of some names.
   *
   * @param otherwise for a name that has none
   */
  static double[] values(List<String> names, Map<String, Double> byName, double otherwise) {
    return names.stream().mapToDouble(name -> byName.getOrDefault(name, otherwise)).toArray();
  }

  /** Equal weights for these names, none for the others. */
  static Map<String, Double> uniform(List<String> all, List<String> names) {
    Map<String, Double> weights = new LinkedHashMap<>();
    all.forEach(name -> weights.put(name, names.contains(name) ? 1.0 / names.size() : 0.0));
    return weights;
  }
}
