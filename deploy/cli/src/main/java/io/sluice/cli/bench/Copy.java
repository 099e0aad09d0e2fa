package io.sluice.cli.bench;

/** One way to bring blocks from the block topics to another topic. */
interface Copy {
  /** What people call it. */
  String name();

  /**
   * Starts once.
   *
   * @param number of this start, from 0; no two are the same
   */
  Running start(int number);

  /** A copy under way; closing it ends it. */
  interface Running extends AutoCloseable {
    /** The topic that grows. */
    String topic();

    /** Ends it and deletes the topic. */
    @Override
    void close();
  }
}
