package io.sluice.lab.reproduce.claim;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A paper whose claims are tested. */
public enum Paper {
  /** Velocitune, both versions: the algorithm is the same. */
  VELOCITUNE("velocitune", "Velocitune"),
  /** DGA. */
  DYNAMIC_GRADIENT_ALIGNMENT("dynamic-gradient-alignment", "Dynamic Gradient Alignment"),
  /** Llama-3-SynE. */
  LLAMA_3_SYNE("llama-3-syne", "Llama-3-SynE"),
  /** Aioli: what each domain does for every loss. */
  AIOLI("aioli", "Aioli"),
  /** GRAPE: several targets, robustly. */
  GRAPE("grape", "GRAPE"),
  /** PiKE: positive gradient interactions. */
  PIKE("pike", "PiKE"),
  /** R&amp;B: regroup and balance. */
  R_AND_B("r-and-b", "R&B"),
  /** RegMix: regression over small runs. */
  REGMIX("regmix", "RegMix");

  private final String key;
  private final String title;

  Paper(String key, String title) {
    this.key = key;
    this.title = title;
  }

  /** Its name in files. */
  public String key() {
    return key;
  }

  /** Its name for people. */
  public String title() {
    return title;
  }

  static List<String> keys() {
    return Arrays.stream(values()).map(Paper::key).toList();
  }

  static Optional<Paper> find(String key) {
    return Arrays.stream(values()).filter(paper -> paper.key.equals(key)).findFirst();
  }
}
