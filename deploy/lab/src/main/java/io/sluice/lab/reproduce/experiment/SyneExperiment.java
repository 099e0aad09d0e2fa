package io.sluice.lab.reproduce.experiment;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.Mixture;
import io.sluice.lab.reproduce.arm.Scale;
import io.sluice.lab.reproduce.arm.TestedModel;
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

/**
 * Llama-3-SynE's bilingual adaptation in small (section 4.1.1): a model of English text goes on
 * with Chinese and English as 1 : 4. Topics are mixed by their perplexities or stay as they are; or
 * Chinese texts come by difficulty (section 4.1.2), in either order, at random, or one topic after
 * the other (figure 3), beside English text as it is.
 */
public final class SyneExperiment implements Experiment {
  private static final List<String> ENGLISH = List.of("prose", "dictionary", "manual", "wordnet");
  private static final List<String> CHINESE = List.of("zh-commands", "zh-library", "zh-concepts");
  private static final double CHINESE_SHARE = 0.2;
  private static final int BUCKETS = 4;
  private static final int LEARNED_BYTES = 100_000;
  private static final int HELD_OUT = 16_384;
  private static final String BASE = "base";

  @Override
  public String name() {
    return "syne";
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters, trained from the start on English,"
            + " instead of Llama-3 of 8 billion.",
        "Chinese is three sections of manual pages, English four of Debian's packages; topics are"
            + " those seven instead of eleven by a classifier.",
        "Difficulty is the perplexity of a trigram model of text of the same domains, in "
            + BUCKETS
            + " buckets for each language instead of ten.",
        "Figure 3 is of curricula of synthetic text on TinyLlama, by physics and biochemistry; here"
            + " they are of Chinese text on the bilingual stage, one topic after the other.",
        "What is compared with the base has read twice as much.",
        "Alpha is the policy's default; nothing was tuned.");
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 16, 200, 20, 1024, 1024, 3e-3);
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    List<String> topics = new ArrayList<>(CHINESE);
    topics.addAll(ENGLISH);
    if (!library.domains().containsAll(topics)) {
      throw new BadInputException("experiment syne needs Chinese text: --corpora debian has it");
    }
    int bytes = (int) Math.min(scale.tokens() / 3, 2 << 20);
    Domains domains =
        Domains.draw(library, topics, seed, new Amounts(40_000, LEARNED_BYTES, bytes));
    Map<String, List<Passage>> training = new LinkedHashMap<>(domains.part(SampledTexts::train));
    Map<String, List<Passage>> chinese = buckets(domains, CHINESE, "hard-zh-");
    Map<String, List<Passage>> english = buckets(domains, ENGLISH, "hard-en-");
    training.putAll(chinese);
    training.putAll(english);
    return List.of(
        new Trial(
            "",
            seed,
            Texts.training(training, HELD_OUT),
            Texts.test(domains.part(SampledTexts::test)),
            new Arms(
                    List.copyOf(training.keySet()),
                    List.copyOf(chinese.keySet()),
                    List.copyOf(english.keySet()),
                    scale)
                .made()));
  }

  private static Map<String, List<Passage>> buckets(
      Domains domains, List<String> topics, String prefix) {
    List<Passage> passages = new ArrayList<>();
    List<Passage> learned = new ArrayList<>();
    for (String topic : topics) {
      passages.addAll(domains.of(topic).train());
      learned.addAll(domains.of(topic).target());
    }
    return DifficultyBuckets.of(passages, learned, prefix, BUCKETS);
  }

  /** The arms over topics and over buckets of the same texts, of which each has one kind. */
  private record Arms(
      List<String> all, List<String> hardChinese, List<String> hardEnglish, Scale scale) {
    List<Arm> made() {
      List<Arm> arms = new ArrayList<>();
      arms.add(Arm.of(BASE, scale.steps(), Mixture.fixed(Domains.uniform(all, ENGLISH))));
      arms.add(arm("fixed", Mixture.fixed(bilingual(CHINESE, ENGLISH))));
      arms.add(
          arm(
              "topic-perplexity",
              tree(
                  CHINESE,
                  ENGLISH,
                  Map.of("topic-perplexity", Map.of()),
                  Map.of("topic-perplexity", Map.of()))));
      arms.add(hard("low-to-high"));
      arms.add(hard("high-to-low"));
      arms.add(random());
      arms.add(
          arm(
              "by-discipline",
              tree(
                  CHINESE,
                  ENGLISH,
                  Map.of("curriculum", Map.of("buckets", String.join(" ", CHINESE))),
                  "static")));
      return arms;
    }

    private Arm arm(String name, Mixture mixture) {
      return Arm.of(name, scale.steps(), mixture).on(BASE);
    }

    private Arm hard(String order) {
      Map<String, ?> ordered = Map.of("curriculum", Map.of("order", order));
      return arm(order, tree(hardChinese, hardEnglish, ordered, "static"));
    }

    /** Buckets in no order stay as they are, so that there are no rounds. */
    private Arm random() {
      return arm("random", Mixture.fixed(bilingual(hardChinese, hardEnglish)));
    }

    private Map<String, Double> bilingual(List<String> chinese, List<String> english) {
      Map<String, Double> weights = Domains.uniform(all, List.of());
      chinese.forEach(name -> weights.put(name, CHINESE_SHARE / chinese.size()));
      english.forEach(name -> weights.put(name, (1 - CHINESE_SHARE) / english.size()));
      return weights;
    }

    /**
     * Both languages under a policy of their own, as 1 : 4; what an arm leaves out has no share.
     */
    private Mixture tree(
        List<String> chinese, List<String> english, Object forChinese, Object forEnglish) {
      List<String> rest = new ArrayList<>(all);
      rest.removeAll(chinese);
      rest.removeAll(english);
      Map<String, Object> groups = new LinkedHashMap<>();
      groups.put("zh", Map.of("domains", chinese, "policy", forChinese));
      groups.put("en", Map.of("domains", english, "policy", forEnglish));
      groups.put("rest", Map.of("domains", rest));
      Map<String, Double> ratios =
          Map.of("zh", CHINESE_SHARE, "en", 1 - CHINESE_SHARE, "rest", 0.0);
      return Mixture.moved(
          bilingual(chinese, english),
          "tree",
          Map.of(
              "every",
              scale.every(),
              "groups",
              groups,
              "stages",
              List.of(Map.of("ratios", ratios))));
    }
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    return Measures.of(judged.outcome());
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    TestedModel test = judged.outcome().test();
    Map<String, Double> measures = Measures.of(test);
    measures.put("test_loss/zh", Measures.mean(test.losses(), CHINESE));
    measures.put("test_loss/en", Measures.mean(test.losses(), ENGLISH));
    return measures;
  }
}
