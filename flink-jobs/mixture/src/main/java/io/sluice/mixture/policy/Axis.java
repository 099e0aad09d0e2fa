package io.sluice.mixture.policy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * What each value of a metric is of: a domain of the run, or something else that has a name. The
 * names are what feedback says in place of a domain's.
 */
public sealed interface Axis {
  /** Each value is of a domain. */
  Axis DOMAINS = new Domains();

  /** Most values of a metric of pairs, as of 256 domains with each other. */
  int MAX_PAIRS = 1 << 16;

  /** Stands between the names of a pair: no domain's has it. */
  String BETWEEN = "/";

  /**
   * Names of the values in their order.
   *
   * @param domains of the run, or of the part of it that a policy decides on
   * @throws IllegalArgumentException if they make more pairs than {@link #MAX_PAIRS}
   */
  List<String> names(List<String> domains);

  /** What the values are of, for messages and to tell one kind from another. */
  String kind();

  /** Each value is of a domain and a domain, which may be the same: the first's row after row. */
  static Axis domainPairs() {
    return new Pairs(DOMAINS);
  }

  /** Each value is of a target and a domain: the first target's row after row. */
  static Axis targetPairs(List<String> targets) {
    return new Pairs(new Targets(targets));
  }

  /** Name of a pair. */
  static String pair(String first, String second) {
    return first + BETWEEN + second;
  }

  /** The domains of the run, in its order. */
  record Domains() implements Axis {
    @Override
    public List<String> names(List<String> domains) {
      return domains;
    }

    @Override
    public String kind() {
      return "domains";
    }
  }

  /**
   * Mixtures of the domains.
   *
   * @param names of the mixtures
   * @param weights of each mixture: one for each domain, summing to 1
   */
  record Mixtures(List<String> names, List<double[]> weights) implements Axis {
    /** Checks that each has a name. */
    public Mixtures {
      names = distinct(names);
      weights = List.copyOf(weights);
      if (names.size() != weights.size()) {
        throw new IllegalArgumentException(
            "mixtures must have a name each: " + weights.size() + ", " + names);
      }
    }

    @Override
    public List<String> names(List<String> domains) {
      return names;
    }

    @Override
    public String kind() {
      return "mixtures";
    }
  }

  /**
   * Targets: domains whose held-out documents are measured each by itself.
   *
   * @param targets each once
   */
  record Targets(List<String> targets) implements Axis {
    /** Copies the names. */
    public Targets {
      targets = distinct(targets);
    }

    @Override
    public List<String> names(List<String> domains) {
      return targets;
    }

    @Override
    public String kind() {
      return "targets";
    }
  }

  /**
   * Pairs, the second of each a domain.
   *
   * @param first what the first of each is: domains or targets
   */
  record Pairs(Axis first) implements Axis {
    @Override
    public List<String> names(List<String> domains) {
      List<String> rows = first.names(domains);
      if ((long) rows.size() * domains.size() > MAX_PAIRS) {
        throw new IllegalArgumentException(
            "%s must be at most %d: %d x %d"
                .formatted(kind(), MAX_PAIRS, rows.size(), domains.size()));
      }
      List<String> pairs = new ArrayList<>(rows.size() * domains.size());
      for (String row : rows) {
        domains.forEach(domain -> pairs.add(pair(row, domain)));
      }
      return pairs;
    }

    @Override
    public String kind() {
      return "pairs of " + first.kind() + " and domains";
    }
  }

  /**
   * Names of their own: of a metric of another jar, or of the parts of a run that need only some.
   *
   * @param kind what the values are of, in the plural
   * @param names each once
   */
  record Named(String kind, List<String> names) implements Axis {
    /** Copies the names. */
    public Named {
      names = distinct(names);
    }

    @Override
    public List<String> names(List<String> domains) {
      return names;
    }
  }

  private static List<String> distinct(List<String> names) {
    if (new HashSet<>(names).size() != names.size()) {
      throw new IllegalArgumentException("what is measured must have a name of its own: " + names);
    }
    return List.copyOf(names);
  }
}
