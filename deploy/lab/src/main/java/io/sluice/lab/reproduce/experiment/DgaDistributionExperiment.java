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
import java.util.Random;

/**
 * Distribution reweighting (section 3.2 and appendix B of DGA's paper): text of six sources is
 * divided into 64 clusters and those into 512, and DGA weighs distributions over the 512: those of
 * six basis sets, with or without that of the target, which is of another source. It has 500
 * documents or 8.
 */
public final class DgaDistributionExperiment implements Experiment {
  private static final String STEERS = "aim";
  private static final String TARGET = "target";
  private static final String NATURAL = "natural";
  private static final String OWN_64 = "own-64";
  private static final String OWN_512 = "own-512";

  private static final int HELD_OUT = 8192;
  private static final int MOST_SOURCES = 6;
  private static final int TEST = 40_000;
  private static final int BASIS = 80_000;

  /** Most characters of a document, so that a small run has as many as 512 clusters need. */
  private static final int LENGTH = 1200;

  private static final int BRANCHING = 8;
  private static final int COARSE = 2;
  private static final int FINE = 3;

  /** Documents of the target. */
  private static final int MANY = 500;

  private static final int FEW = 8;

  /** A cluster of fewer documents would have nothing to measure it by. */
  private static final int LEAST_DOCUMENTS = 8;

  @Override
  public String name() {
    return "dga-dist";
  }

  @Override
  public List<String> departures() {
    return List.of(
        "Byte-level models of some 0.1 million parameters instead of 125 and 750 million.",
        "The generic text is that of six of Debian's packages, in documents of up to 1,200 characters,"
            + " instead of RedPajama; its clusters are of hashed words, three levels of up to 8 by"
            + " k-means, so up to 64 and 512 instead of 64, 4,096 and 262,144 by sentence embeddings.",
        "The target is another package instead of MMLU: 500 documents of it instead of 7,100"
            + " questions, or 8 instead of 285. All make its histogram; half of them, at most 8,192"
            + " tokens, are held out for its gradient, which 1,024 tokens give.",
        "Basis sets are held-out sections of the six packages instead of 22 parts of The Pile; what"
            + " is general is the mean over the test text of those six.",
        "A distribution is a domain whose documents are drawn beforehand in its histogram's shares,"
            + " and DGA is over these domains, which section 3.2 says is the same; probes are text"
            + " that was trained on. Importance sampling is all weight on such a domain.",
        "DGA over domains has the 64 clusters without those of fewer than 8 documents, and begins"
            + " with natural proportions; over distributions it begins with equal weights.",
        "Eta and beta are those of policy dga, 1.5 and 0.1; nothing was tuned. With "
            + scale().steps() / scale().every()
            + " rounds an average of a tenth keeps two fifths of the first weights.");
  }

  @Override
  public Scale scale() {
    return new Scale(2, 64, 4, 128, 16, 96, 12, 1024, 1024, 3e-3);
  }

  @Override
  public List<Trial> trials(long seed, Library library, Scale scale) {
    Sources sources = Sources.of(library, seed, scale);
    return List.of(sources.distributions(MANY), sources.distributions(FEW), sources.domains(MANY));
  }

  /**
   * What all trials of a seed are made of.
   *
   * @param target documents of the target, many
   * @param basis documents of the basis sets, by source
   * @param test texts by source, and of the target
   */
  private record Sources(
      long seed,
      Scale scale,
      List<Passage> target,
      Map<String, List<Passage>> basis,
      Clusters clusters,
      Texts test) {

    static Sources of(Library library, long seed, Scale scale) {
      List<String> every = library.domains();
      List<String> names = every.subList(0, Math.min(MOST_SOURCES, every.size() - 1));
      String aimed = every.get(every.size() - 1);
      int bytes = (int) Math.min(2 * scale.tokens(), 4 << 20);
      Map<String, Amounts> amounts = new LinkedHashMap<>();
      names.forEach(name -> amounts.put(name, new Amounts(TEST, BASIS, bytes)));
      amounts.put(aimed, new Amounts(TEST, (MANY + FEW) * LENGTH, 0));
      Domains texts = new Domains(SampledTexts.draw(library, amounts, seed));
      Map<String, List<Passage>> test = new LinkedHashMap<>();
      names.forEach(name -> test.put(name, texts.of(name).test()));
      test.put(TARGET, texts.of(aimed).test());
      Documents documents = new Documents(test.values(), LENGTH);
      List<Passage> target = documents.of(texts.of(aimed).target());
      Map<String, List<Passage>> basis = new LinkedHashMap<>();
      names.forEach(name -> basis.put(name, documents.of(texts.of(name).target())));
      List<Passage> generic = new ArrayList<>();
      names.forEach(name -> generic.addAll(documents.of(texts.of(name).train())));
      Clusters clusters = Clusters.of(generic, BRANCHING, FINE, seed);
      return new Sources(seed, scale, target, basis, clusters, Texts.test(test));
    }

    /** The natural distribution, the target's two, and those of the basis sets as domains. */
    Trial distributions(int documents) {
      List<Passage> aim = aim(documents);
      Map<String, List<Passage>> training = new LinkedHashMap<>();
      training.put(NATURAL, drawn(NATURAL, clusters.natural(FINE), FINE));
      training.put(OWN_64, drawn(OWN_64, clusters.histogram(aim, COARSE), COARSE));
      training.put(OWN_512, drawn(OWN_512, clusters.histogram(aim, FINE), FINE));
      basis.forEach(
          (name, set) -> training.put(name, drawn(name, clusters.histogram(set, FINE), FINE)));
      training.put(STEERS, aim);
      List<String> all = List.copyOf(training.keySet());
      List<String> six = List.copyOf(basis.keySet());
      List<String> seven = new ArrayList<>(six);
      seven.add(OWN_512);
      return new Trial(
          Integer.toString(documents),
          seed,
          Texts.training(training, HELD_OUT),
          test,
          List.of(
              alone("uniform", all, NATURAL),
              alone("importance-sampling-64", all, OWN_64),
              alone("importance-sampling-512", all, OWN_512),
              aligned("dga-distribution-6", Domains.uniform(all, six)),
              aligned("dga-distribution-7", Domains.uniform(all, seven))));
    }

    /** The clusters themselves as domains. */
    Trial domains(int documents) {
      Map<String, List<Passage>> training = new LinkedHashMap<>();
      Map<String, Double> natural = new LinkedHashMap<>();
      clusters
          .at(COARSE)
          .forEach(
              (cluster, texts) -> {
                if (texts.size() >= LEAST_DOCUMENTS) {
                  training.put("c" + cluster, texts);
                  natural.put("c" + cluster, (double) texts.size());
                }
              });
      training.put(STEERS, aim(documents));
      natural.put(STEERS, 0.0);
      return new Trial(
              Integer.toString(documents),
              seed,
              Texts.training(training, HELD_OUT),
              test,
              List.of(aligned("dga-64", natural)))
          .part("clusters");
    }

    private List<Passage> drawn(String name, Map<Integer, Double> shares, int level) {
      int bytes = (int) Math.min(scale.tokens() + HELD_OUT, 4 << 20);
      return clusters.drawn(shares, level, bytes, new Random(31 * seed + name.hashCode()));
    }

    private List<Passage> aim(int documents) {
      return target.subList(0, Math.min(documents, target.size()));
    }

    private Arm alone(String name, List<String> all, String domain) {
      return Arm.of(name, scale.steps(), Mixture.fixed(Domains.uniform(all, List.of(domain))));
    }

    private Arm aligned(String name, Map<String, Double> initial) {
      Map<String, Object> settings = Map.of("every", scale.every(), "target", List.of(STEERS));
      return Arm.of(name, scale.steps(), Mixture.moved(initial, "dga", settings));
    }
  }

  @Override
  public Map<String, Double> measures(Judged judged) {
    ArmOutcome outcome = judged.outcome();
    Map<String, Double> measures = Measures.of(outcome);
    measures.put("weight/target", outcome.lastWeights().getOrDefault(OWN_512, Double.NaN));
    return measures;
  }

  @Override
  public Map<String, Double> tested(Judged judged) {
    TestedModel test = judged.outcome().test();
    Map<String, Double> measures = Measures.of(test);
    Map<String, Double> general = new LinkedHashMap<>(test.losses());
    measures.put("target_loss", Objects.requireNonNull(general.remove(TARGET)));
    measures.put("general_loss/mean", Measures.mean(general.values()));
    return measures;
  }
}
