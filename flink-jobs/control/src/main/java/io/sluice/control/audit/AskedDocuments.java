package io.sluice.control.audit;

import io.sluice.schema.set.IdHash;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Documents that are looked for in blocks, by their whole ids. */
public final class AskedDocuments {
  private final Function<String, Set<String>> ids;

  /** Of each domain, the ids by their hashes; made when a block has no ids. */
  private final Map<String, Map<String, String>> byHash = new HashMap<>();

  /**
   * Documents by their domains.
   *
   * @param ids of a domain's; always the same
   */
  public AskedDocuments(Function<String, Set<String>> ids) {
    this.ids = ids;
  }

  /** Those that a block has, in its order. */
  public Set<String> in(BlockContent block) {
    String domain = block.place().domain();
    Set<String> found = new LinkedHashSet<>();
    if (block.named()) {
      found.addAll(block.documents());
      found.retainAll(ids.apply(domain));
      return found;
    }
    Map<String, String> known = byHash.computeIfAbsent(domain, this::hashed);
    for (String hash : block.documents()) {
      String id = known.get(hash);
      if (id != null) {
        found.add(id);
      }
    }
    return found;
  }

  private Map<String, String> hashed(String domain) {
    Map<String, String> hashed = new HashMap<>();
    ids.apply(domain).forEach(id -> hashed.put(IdHash.of(domain, id), id));
    return hashed;
  }
}
