package io.sluice.jobs.mix.reweight;

import io.sluice.control.controller.RunEffect;

/**
 * Sequences of a run's stream that no trainer will read again. Flink reads and writes the fields,
 * and checkpoints hold the name of the class: under another name they could not be restored.
 */
public final class Reclaim {
  /** The run. */
  public String runId = "";

  /** What people call it. */
  public String run = "";

  /** Kafka's id of the run's stream topic: another of that name is not touched. */
  public String streamTopicId = "";

  /** The first batch that is still needed. */
  public long before;

  /** Called by Flink. */
  public Reclaim() {}

  Reclaim(RunEffect.Reclaim wanted) {
    runId = wanted.runId();
    run = wanted.run();
    streamTopicId = wanted.streamTopicId();
    before = wanted.before();
  }
}
