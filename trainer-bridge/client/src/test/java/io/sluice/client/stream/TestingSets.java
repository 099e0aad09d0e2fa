package io.sluice.client.stream;

import io.sluice.client.run.SetSource;
import io.sluice.schema.set.DocumentHashes;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Sets of documents in memory. */
public final class TestingSets implements SetSource {
  private final Map<String, DocumentHashes> sets = new HashMap<>();
  private int looks;

  /** Puts a set where it is found. */
  public void add(DocumentHashes set) {
    sets.put(set.name(), set);
  }

  /** How often somebody looked. */
  int looks() {
    return looks;
  }

  @Override
  public Map<String, DocumentHashes> read(Set<String> names) {
    looks++;
    Map<String, DocumentHashes> found = new HashMap<>(sets);
    found.keySet().retainAll(names);
    return found;
  }

  @Override
  public String place() {
    return "the testing topic";
  }
}
