package io.sluice.lab.reproduce.experiment;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Question;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.Texts;
import io.sluice.lab.reproduce.arm.Trial;
import io.sluice.lab.reproduce.corpus.Library;
import io.sluice.lab.reproduce.corpus.Passage;
import io.sluice.lab.reproduce.corpus.SampledTexts;
import io.sluice.lab.reproduce.corpus.SampledTexts.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Llama-3-SynE's synthetic questions and answers in small (section 4.2; sections 5.1 and G of its
 * surrogate experiments): a model of English goes on with the same text and a share of them, some
 * of which may have wrong answers.
 */
public final class SyneSyntheticExperiment implements Experiment {
  private static final String ENTRIES = "entries";
  private static final List<String> ENGLISH = List.of("prose", "dictionary", "manual", ENTRIES);
  private static final String BASE = "base";
  private static final String SYNTHETIC = "synthetic";
  private static final String QUESTIONS = "qa";
  private static final double SHARE = 0.2;
  private static final int HELD_OUT = 16_384;
  private static final int TEST = 40_000;
  private static final int TEST_ENTRIES = 120_000;
  private static final int MOST_ASKED = 600;

  /** Domains of the same questions, by the share of their answers that are wrong. */
  private static final Map<String, Double> CORRUPTED = corrupted();

  private static Map<String, Double> corrupted() {
    Map<String, Double> corrupted = new LinkedHashMap<>();
    corrupted.put(SYNTHETIC, 0.0);
    corrupted.put("corrupted-30", 0.3);
    corrupted.put("corrupted-70", 0.7);
    return corrupted;
  }

  @Override
  public String name() {
    return "syne-synthetic";
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters, trained from the start on English,"
            + " instead of TinyLlama of 1.1 billion.",
        "Normal text is three of Debian's packages and WordNet's entries, in equal shares, in the base"
            + " and after it, instead of the paper's Chinese and English.",
        "Questions and answers are made by rule of entries of WordNet, what a word means, instead of"
            + " by a language model of web pages. The entries they are made of are normal text, too.",
        "What is asked is of entries none of which is trained on in any form, instead of benchmarks:"
            + " what can be learnt is which kind of word means which kind of thing.",
        "A question has the answers of three others beside its own. The one counts that it makes most"
            + " probable against the mean of the four questions, instead of the most probable one.",
        "A corrupted answer is that of another question, instead of one with other numbers, nouns"
            + " and adjectives.");
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 8, 480, 60, 1024, 1024, 3e-3);
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    if (!library.domains().containsAll(ENGLISH)) {
      throw new BadInputException(
          "experiment syne-synthetic needs WordNet's entries: --corpora debian has them");
    }
    int bytes = (int) Math.min(scale.tokens() / 2, 2 << 20);
    Map<String, Amounts> amounts = new LinkedHashMap<>();
    ENGLISH.forEach(name -> amounts.put(name, new Amounts(TEST, 0, bytes)));
    amounts.put(ENTRIES, new Amounts(TEST_ENTRIES, 0, 2 * bytes));
    Domains domains = new Domains(SampledTexts.draw(library, amounts, seed));
    Map<String, List<Passage>> training = new LinkedHashMap<>(domains.part(SampledTexts::train));
    int longest = scale.sequenceLength();
    SampledTexts entries = domains.of(ENTRIES);
    List<Question> trained = EntryQuestions.of(entries.train(), longest, new Random(seed));
    CORRUPTED.forEach(
        (name, wrong) ->
            training.put(name, EntryQuestions.documents(trained, wrong, new Random(seed))));
    List<Question> asked = EntryQuestions.of(entries.test(), longest, new Random(seed));
    Trial trial =
        new Trial(
            "",
            seed,
            Texts.training(training, HELD_OUT),
            Texts.test(domains.part(SampledTexts::test)),
            arms(List.copyOf(training.keySet()), scale.steps()));
    return List.of(trial.asking(QUESTIONS, asked.subList(0, Math.min(MOST_ASKED, asked.size()))));
  }

  private static List<Arm> arms(List<String> all, int steps) {
    List<Arm> arms = new ArrayList<>();
    arms.add(Arm.of(BASE, steps, Mixture.fixed(Domains.uniform(all, ENGLISH))));
    for (int percent : List.of(0, 10, 20, 40)) {
      arms.add(arm("synthetic-" + percent, all, SYNTHETIC, percent / 100.0, steps));
    }
    CORRUPTED.keySet().stream()
        .filter(name -> !name.equals(SYNTHETIC))
        .forEach(name -> arms.add(arm(name, all, name, SHARE, steps)));
    return arms;
  }

  private static Arm arm(String name, List<String> all, String synthetic, double share, int steps) {
    Map<String, Double> weights = Domains.uniform(all, ENGLISH);
    weights.replaceAll((domain, weight) -> weight * (1 - share));
    weights.put(synthetic, share);
    return Arm.of(name, steps, Mixture.fixed(weights)).on(BASE);
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    return Measures.of(judged.outcome());
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    return Measures.of(judged.outcome().test());
  }
}
