package io.sluice.mixture.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/** The policies that a run can name: the built-in ones and those of jars on the class path. */
public final class Policies {
  private static final Map<String, PolicyFactory> BUILT_IN = builtIn();

  private Policies() {}

  /** Every name that {@link #create} takes, in alphabetical order. */
  public static List<String> names() {
    Map<String, PolicyFactory> all = new TreeMap<>(provided());
    all.putAll(BUILT_IN);
    return List.copyOf(all.keySet());
  }

  /**
   * The policy of a run.
   *
   * @param settings flat, with dotted keys: {@code targets.java -> 1.25}
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static Policy create(String name, Map<String, String> settings, List<String> domains) {
    return create("policy", name, settings, domains);
  }

  /**
   * The policy of a part of a run.
   *
   * @param path of the key that names the policy, for messages
   */
  static Policy create(
      String path, String name, Map<String, String> settings, List<String> domains) {
    PolicyFactory factory = BUILT_IN.get(name);
    if (factory == null) {
      factory = provided().get(name);
    }
    if (factory == null) {
      throw new IllegalArgumentException(path + " must be one of " + names() + ": '" + name + "'");
    }
    PolicySettings read = new PolicySettings(path + "." + name, settings);
    Policy policy = factory.create(read, domains);
    read.requireAllRead();
    return policy;
  }

  /** Factories of other jars, seen from this thread or from this class. */
  private static Map<String, PolicyFactory> provided() {
    Map<String, PolicyFactory> found = new TreeMap<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    for (ClassLoader loader : loaders(context, Policies.class.getClassLoader())) {
      for (PolicyFactory factory : ServiceLoader.load(PolicyFactory.class, loader)) {
        PolicyFactory other = found.putIfAbsent(factory.name(), factory);
        boolean twice = other != null && other.getClass() != factory.getClass();
        if (twice || BUILT_IN.containsKey(factory.name())) {
          throw new IllegalArgumentException(
              "policy '" + factory.name() + "' is taken: " + factory.getClass().getName());
        }
      }
    }
    return found;
  }

  private static Collection<ClassLoader> loaders(ClassLoader context, ClassLoader own) {
    List<ClassLoader> loaders = new ArrayList<>(List.of(own));
    if (context != null && context != own) {
      loaders.add(context);
    }
    return loaders;
  }

  private static Map<String, PolicyFactory> builtIn() {
    Map<String, PolicyFactory> factories = new TreeMap<>();
    for (PolicyFactory factory :
        List.of(
            new StaticPolicy.Factory(),
            new VelocitunePolicy.Factory(),
            new DynamicBatchLoadingPolicy.Factory(),
            new DgaPolicy.Factory(),
            new DgaDistributionPolicy.Factory(),
            new ImportanceSamplingPolicy.Factory(),
            new TopicPerplexityPolicy.Factory(),
            new OdmPolicy.Factory(OdmPolicy.NAME),
            new OdmPolicy.Factory(OdmPolicy.PAPER_NAME),
            new AdoPolicy.Factory(),
            new DoremiPolicy.Factory(),
            new DogePolicy.Factory(),
            new ExternalPolicy.Factory(),
            new RecordedPolicy.Factory(),
            new CurriculumPolicy.Factory(),
            new EstimateTargetsPolicy.Factory(),
            new TreePolicy.Factory())) {
      factories.put(factory.name(), factory);
    }
    return factories;
  }
}
