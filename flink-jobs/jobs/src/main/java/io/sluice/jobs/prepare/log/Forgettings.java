package io.sluice.jobs.prepare.log;

import io.sluice.schema.set.DocumentKeys;
import java.util.ArrayList;
import java.util.List;

/** Where documents of a domain were forgotten, in the order in which they were. */
public final class Forgettings {
  private final List<Forgetting> all = new ArrayList<>();

  /**
   * Documents that no block is made of from somewhere on.
   *
   * @param steps that the domain had taken before
   */
  public record Forgetting(long steps, DocumentKeys documents) {}

  /**
   * Adds the next.
   *
   * @return whether it comes after all that are there; another is left out
   */
  public boolean add(Forgetting next) {
    boolean after = all.isEmpty() || next.steps() > all.get(all.size() - 1).steps();
    return after && all.add(next);
  }

  /** How many there are. */
  public int size() {
    return all.size();
  }

  /** One of them, from 0. */
  public Forgetting get(int number) {
    return all.get(number);
  }
}
