package io.sluice.refine.synthesis;

/**
 * What is asked of each of many documents, and what becomes of it by the answer. Pure functions.
 */
public interface Task {
  /** What is asked for a seed. */
  Request request(Seed seed);

  /**
   * What becomes of a seed by the reply to its request.
   *
   * @param seed its id
   */
  Outcome outcome(String seed, RequestKey key, Reply.Settled reply);
}
