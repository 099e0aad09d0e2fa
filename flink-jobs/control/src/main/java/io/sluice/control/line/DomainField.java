package io.sluice.control.line;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which documents of a file are of a domain, where they say it themselves. A file is read once for
 * each domain; of what cannot be used and is of no domain the first of them tells alone.
 *
 * @param field or column in which a document says where it belongs
 * @param names domains by what documents say, where that is not their name
 * @param domains all that there are, at least one
 * @param domain one of them, whose documents these are
 */
public record DomainField(
    String field, Map<String, String> names, List<String> domains, String domain) {
  /** Copies map and list. */
  public DomainField {
    names = Map.copyOf(names);
    domains = List.copyOf(domains);
  }

  /** Whether this domain tells what cannot be used and is of none. */
  public boolean tells() {
    return domains.get(0).equals(domain);
  }

  /**
   * Checks that a document is of the domain.
   *
   * @throws RefusedException if it is {@link RefusedException#ofAnotherDomain another's}, or of
   *     none that there is
   */
  public void require(String said) throws RefusedException {
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
    if (!named.equals(domain)) {
      throw RefusedException.ofAnotherDomain();
    }
  }

  /** What decides which documents these are, for what people and tables are told. */
  String places() {
    return ", domain in '"
        + field
        + "'"
        + (names.isEmpty() ? "" : " by the names " + new TreeMap<>(names));
  }
}
