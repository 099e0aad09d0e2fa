package io.sluice.cli.storage;

import java.util.Locale;

/**
 * Whose a topic is.
 *
 * @param name of the dataset, domain, refinery or run, or the prefix of another deployment; '' for
 *     the service and for nobody
 */
public record Owner(Kind kind, String name) implements Comparable<Owner> {
  /** Of the topics that every deployment has. */
  public static final Owner SERVICE = new Owner(Kind.SERVICE, "");

  /** Of topics under the prefix that belong to nothing that the deployment's tables name. */
  public static final Owner NOBODY = new Owner(Kind.NOBODY, "");

  /** What may own topics, in the order in which reports have it. */
  public enum Kind {
    DATASET,
    DOMAIN,
    REFINERY,
    RUN,
    SERVICE,
    DEPLOYMENT,
    NOBODY;

    /** The word that people and programs read. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public int compareTo(Owner other) {
    int byKind = kind.compareTo(other.kind);
    return byKind == 0 ? name.compareTo(other.name) : byKind;
  }

  @Override
  public String toString() {
    return name.isEmpty() ? kind.word() : kind.word() + " " + name;
  }
}
