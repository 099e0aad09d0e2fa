package io.sluice.lab.reproduce.arm;

import io.sluice.lab.reproduce.corpus.Passage;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A dataset of an experiment: its domains' documents, and how many of them are held out.
 *
 * @param domains documents by domain, in the dataset's order
 * @param heldOut share of the documents
 * @param heldOutTokens of each domain at least
 */
public record Texts(Map<String, List<Passage>> domains, double heldOut, int heldOutTokens) {
  /** Text of which nothing is trained on. */
  private static final double ALL = 0.99;

  /** What steers is held out of it: a few blocks of each domain, however small. */
  public static Texts training(Map<String, List<Passage>> domains, int heldOutTokens) {
    return new Texts(domains, 0.01, heldOutTokens);
  }

  /** All of it is held out. */
  public static Texts test(Map<String, List<Passage>> domains) {
    return new Texts(domains, ALL, 0);
  }

  /** Copies the map. */
  public Texts {
    domains = Collections.unmodifiableMap(new LinkedHashMap<>(domains));
  }
}
