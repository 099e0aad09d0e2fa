package io.sluice.lab.reproduce.experiment;

import io.sluice.lab.reproduce.arm.Arm;
import io.sluice.lab.reproduce.arm.ArmOutcome;
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
import java.util.Objects;
import java.util.SortedMap;

/**
 * Dynamic gradient alignment on six domains (section 4.1 of its paper): the target is text of one
 * of them, a mixture of three, or foreign to all, and the domains are so small that training on one
 * alone repeats it twenty or five times, or so large that nothing repeats.
 */
public final class DgaExperiment implements Experiment {
  private static final String TARGET = "aim";

  /** Enough to evaluate and probe, and little beside the smallest domains. */
  private static final int HELD_OUT = 8192;

  private static final int MOST_DOMAINS = 6;
  private static final Amounts PARTS = new Amounts(40_000, 80_000, 0);

  /**
   * What a target is, and how often a domain would be repeated.
   *
   * @param passes over one domain's text if there was nothing else
   * @param parts of the target by places of domains; none for a foreign one
   */
  private record Setting(String name, int passes, Map<Integer, Double> parts, List<String> arms) {}

  private static final Map<Integer, Double> INSIDE = Map.of(3, 1.0);
  private static final List<Setting> SETTINGS =
      List.of(
          new Setting(
              "few",
              20,
              INSIDE,
              List.of(
                  "uniform",
                  "importance-sampling",
                  "dga",
                  "dga-no-ema",
                  "dga-held-out-probes",
                  "average")),
          new Setting("some", 5, INSIDE, List.of("uniform", "importance-sampling", "dga")),
          new Setting("unlimited", 1, INSIDE, List.of("uniform", "dga", "dga-no-ema")),
          new Setting("mixture", 1, Map.of(1, 0.5, 2, 0.3, 3, 0.2), List.of("dga", "dga-no-ema")),
          new Setting("foreign", 5, Map.of(), List.of("dga")));

  @Override
  public String name() {
    return "dga";
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters instead of 125 million.",
        "Six domains are six of Debian's packages instead of 64 clusters of RedPajama, and targets"
            + " are texts of one, of three, or of another package instead of MMLU and the like.",
        "Data are few as domains have a twentieth (few) or a fifth (some) of a run's tokens.",
        "Importance sampling has the target's true shares, where the paper has an estimate; for a"
            + " foreign target, where it has a histogram over clusters, there is none here.",
        "Eta and beta are the policy's defaults, 1.5 and 0.1; nothing was tuned. With "
            + rounds()
            + " rounds an average of a tenth keeps a fifth of the first weights, so that DGA with it"
            + " cannot leave a domain altogether; what it finds is asked of the arm without it.");
  }

  private int rounds() {
    return scale().steps() / scale().every();
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 16, 160, 10, 2048, 1024, 3e-3);
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    return SETTINGS.stream().map(setting -> trial(setting, seed, library, scale)).toList();
  }

  private static Trial trial(Setting setting, long seed, Library library, Scale scale) {
    List<String> every = library.domains();
    List<String> names = every.subList(0, Math.min(MOST_DOMAINS, every.size() - 1));
    String foreign = every.get(every.size() - 1);
    Map<String, Double> parts = new LinkedHashMap<>();
    setting.parts.forEach((place, share) -> parts.put(names.get(place), share));
    int bytes = (int) Math.min(scale.tokens() / setting.passes + HELD_OUT, 4 << 20);
    Map<String, Amounts> amounts = new LinkedHashMap<>();
    names.forEach(name -> amounts.put(name, new Amounts(PARTS.test(), PARTS.target(), bytes)));
    if (parts.isEmpty()) {
      amounts.put(foreign, PARTS);
    }
    Map<String, SampledTexts> sources = SampledTexts.draw(library, amounts, seed);
    Map<String, List<Passage>> training = new LinkedHashMap<>();
    names.forEach(name -> training.put(name, Objects.requireNonNull(sources.get(name)).train()));
    Map<String, Double> aimed = parts.isEmpty() ? Map.of(foreign, 1.0) : parts;
    training.put(TARGET, mixed(sources, aimed, true));
    List<String> all = List.copyOf(training.keySet());
    return new Trial(
        setting.name,
        seed,
        Texts.training(training, HELD_OUT),
        Texts.test(Map.of(TARGET, mixed(sources, aimed, false))),
        arms(setting, all, names, parts, scale));
  }

  /** Passages of some domains in the given shares. */
  private static List<Passage> mixed(
      Map<String, SampledTexts> sources, Map<String, Double> shares, boolean steers) {
    List<Passage> mixed = new ArrayList<>();
    shares.forEach(
        (domain, share) -> {
          SampledTexts texts = Objects.requireNonNull(sources.get(domain));
          List<Passage> part = steers ? texts.target() : texts.test();
          mixed.addAll(part.subList(0, (int) Math.round(share * part.size())));
        });
    return mixed;
  }

  private static List<Arm> arms(
      Setting setting,
      List<String> all,
      List<String> names,
      Map<String, Double> parts,
      Scale scale) {
    Map<String, Double> uniform = Domains.uniform(all, names);
    Map<String, Double> sampled = Domains.uniform(all, parts.isEmpty() ? names : List.of());
    sampled.putAll(parts);
    int steps = scale.steps();
    List<Arm> arms =
        List.of(
            Arm.of("uniform", steps, Mixture.fixed(uniform)),
            Arm.of("importance-sampling", steps, Mixture.fixed(sampled)),
            aligned("dga", scale, uniform, Map.of()),
            aligned("dga-no-ema", scale, uniform, Map.of("beta", 1)),
            aligned("dga-held-out-probes", scale, uniform, Map.of("probes", "held-out")),
            Arm.of("average", steps, Mixture.fixed(uniform))
                .after(List.of("dga"), ended -> Mixture.fixed(ended.of("dga").averageWeights())));
    return arms.stream().filter(arm -> setting.arms.contains(arm.name())).toList();
  }

  private static Arm aligned(
      String name, Scale scale, Map<String, Double> initial, Map<String, ?> more) {
    Map<String, Object> settings = new LinkedHashMap<>(more);
    settings.put("every", scale.every());
    settings.put("target", List.of(TARGET));
    return Arm.of(name, scale.steps(), Mixture.moved(initial, "dga", settings));
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    ArmOutcome outcome = judged.outcome();
    Map<String, Double> measures = Measures.of(outcome);
    SortedMap<Long, Double> course = Measures.course(outcome, TARGET);
    measures.put("target_loss_rise", Measures.rise(course));
    measures.put("target_loss_spike", Measures.spike(course));
    if (judged.trial().name().equals("mixture")) {
      List<String> names = List.copyOf(judged.trial().training().domains().keySet());
      Map<String, Double> truth = new LinkedHashMap<>();
      names.forEach(name -> truth.put(name, 0.0));
      SETTINGS.stream()
          .filter(each -> each.name.equals("mixture"))
          .forEach(
              each -> each.parts.forEach((place, share) -> truth.put(names.get(place), share)));
      measures.put("mixture_distance", Measures.distance(truth, outcome.lastWeights()));
    }
    return measures;
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    TestedModel test = judged.outcome().test();
    Map<String, Double> measures = Measures.of(test);
    measures.put("target_loss", test.losses().getOrDefault(TARGET, Double.NaN));
    return measures;
  }
}
