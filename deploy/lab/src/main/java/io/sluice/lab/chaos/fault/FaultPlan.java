package io.sluice.lab.chaos.fault;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The faults of a seed. Kinds come like cards from a shuffled deck, which is shuffled again when it
 * is empty, so that no kind comes twice as often as another.
 */
public final class FaultPlan {
  private static final int LEAST_PAUSE_MILLIS = 500;
  private static final int MORE_PAUSE_MILLIS = 2_500;

  private FaultPlan() {}

  /**
   * One fault.
   *
   * @param number from 1
   * @param pause between the recovery from the fault before and this one
   * @param choice decides whatever the kind leaves open, such as the victim
   */
  public record Planned(int number, FaultKind kind, Duration pause, long choice) {
    /** Random numbers for what the kind leaves open. */
    public Random random() {
      return new Random(choice);
    }
  }

  /** The first faults of a seed. */
  public static List<Planned> of(long seed, int faults, Set<FaultKind> kinds) {
    Random random = new Random(seed);
    List<FaultKind> deck = new ArrayList<>();
    List<Planned> planned = new ArrayList<>();
    for (int number = 1; number <= faults; number++) {
      if (deck.isEmpty()) {
        deck.addAll(EnumSet.copyOf(kinds));
        Collections.shuffle(deck, random);
      }
      FaultKind kind = deck.remove(deck.size() - 1);
      int millis = LEAST_PAUSE_MILLIS + random.nextInt(MORE_PAUSE_MILLIS);
      planned.add(new Planned(number, kind, Duration.ofMillis(millis), random.nextLong()));
    }
    return List.copyOf(planned);
  }
}
