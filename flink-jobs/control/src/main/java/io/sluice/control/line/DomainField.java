package io.sluice.control.line;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which documents of a file are of a domain, where they say it themselves. A file is read once for
 * each domain; of what cannot be used and is of no domain one of them tells alone.
 *
 * @param field or column in which a document says where it belongs
 * @param names domains by what documents say, where that is not their name
 * @param domains all that there are, at least one
 * @param domain one of them, whose documents these are
 * @param teller the domain that tells what cannot be used and is of none
 */
public record DomainField(
    String field, Map<String, String> names, List<String> domains, String domain, String teller) {
  /** Copies map and list. */
  public DomainField {
    names = Map.copyOf(names);
    domains = List.copyOf(domains);
  }

  /** One of which the first domain tells what is of none. */
  public DomainField(String field, Map<String, String> names, List<String> domains, String domain) {
    this(field, names, domains, domain, domains.get(0));
  }

  /** The same where another domain tells what is of none. */
  public DomainField toldBy(String other) {
    return new DomainField(field, names, domains, domain, other);
  }

  /** Whether this domain tells what cannot be used and is of none. */
  public boolean tells() {
    return teller.equals(domain);
  }

  /** Makes a document of a record whose domain is known. */
  @FunctionalInterface
  public interface Maker<T> {
    T make() throws RefusedException;
  }

  /**
   * The document that a record is.
   *
   * @param said what it says of its domain
   * @throws RefusedException if it is none of the domain; what it is says {@link
   *     RefusedException#isOfItsDomain} and the like
   */
  public <T> T own(String said, Maker<T> maker) throws RefusedException {
    boolean own = isOwn(said);
    T document;
    try {
      document = maker.make();
    } catch (RefusedException e) {
      throw own ? e.ofItsDomain() : RefusedException.ofAnotherDomain();
    }
    if (!own) {
      throw RefusedException.documentOfAnotherDomain();
    }
    return document;
  }

  private boolean isOwn(String said) throws RefusedException {
    String named = names.getOrDefault(said, said);
    if (!domains.contains(named)) {
      throw new RefusedException(
          "'"
              + field
              + "' must name one of "
              + String.join(", ", domains)
              + ": found '"
              + said.substring(0, Math.min(said.length(), 100))
              + "'");
    }
    return named.equals(domain);
  }

  /** What decides which documents these are, for what people and tables are told. */
  String places() {
    return ", domain in '"
        + field
        + "'"
        + (names.isEmpty() ? "" : " by the names " + new TreeMap<>(names));
  }
}
