package io.sluice.mixture.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * The policies that a run can name: those of this jar and of every other on the class path that
 * lists its {@link PolicyFactory} for {@link ServiceLoader}.
 */
public final class Policies {
  private static final String RUN = "policy";

  private Policies() {}

  /** Every name that {@link #create} takes, in alphabetical order. */
  public static List<String> names() {
    return List.copyOf(provided().keySet());
  }

  /**
   * The policy of a run.
   *
   * @param settings flat, with dotted keys: {@code targets.java -> 1.25}
   * @throws UnknownPolicyException if there is none of the name
   * @throws IllegalArgumentException naming the key, what it may be, and what it is
   */
  public static Policy create(String name, Map<String, String> settings, List<String> domains) {
    return create(RUN, name, settings, domains);
  }

  /**
   * The policy of a part of a run.
   *
   * @param path of the key that names the policy, for messages
   */
  public static Policy create(
      String path, String name, Map<String, String> settings, List<String> domains) {
    Map<String, PolicyFactory> all = provided();
    PolicyFactory factory = all.get(name);
    if (factory == null) {
      throw new UnknownPolicyException(path, List.copyOf(all.keySet()), name);
    }
    PolicySettings read = new PolicySettings(path + "." + name, settings);
    Policy policy = factory.create(read, domains);
    if (path.equals(RUN) && policy.hasRounds()) {
      read.name("every");
    }
    read.requireAllRead();
    return policy;
  }

  /** Every factory by its policy's name, seen from this thread or from this class. */
  private static Map<String, PolicyFactory> provided() {
    Map<String, PolicyFactory> found = new TreeMap<>();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    for (ClassLoader loader : loaders(context, Policies.class.getClassLoader())) {
      for (PolicyFactory factory : ServiceLoader.load(PolicyFactory.class, loader)) {
        PolicyFactory other = found.putIfAbsent(factory.name(), factory);
        if (other != null && !other.getClass().getName().equals(factory.getClass().getName())) {
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
}
