package io.sluice.jobs.simulation;

/** One seeded history of the loop. */
final class Simulation {
  private static final int TROUBLED = 3_000;

  private Simulation() {}

  /**
   * Lives it.
   *
   * @return the number of its events
   * @throws AssertionError naming the seed, what does not hold, and the last events
   */
  static long run(long seed, Conduct conduct, Witness witness) {
    World world = new World(seed, conduct, witness);
    try {
      world.live(TROUBLED);
      return world.events();
    } catch (RuntimeException e) {
      throw new AssertionError(
          "seed "
              + seed
              + ", replay with -Dsluice.seed="
              + seed
              + ": "
              + e
              + "\nlast events:\n"
              + world.history(),
          e);
    }
  }
}
