package io.sluice.control.topics;

import io.sluice.schema.Topics;

/** Where the entries of a run's control log are. */
public enum RunLog {
  /** In the topic that runs shared before each had its own. */
  SHARED,
  /** In a topic of the run's id, which goes when the run does. */
  OWN;

  /** The log that a topic is for runs that have entries there. */
  public static RunLog of(Topics topics, String topic) {
    return topic.equals(topics.control()) ? SHARED : OWN;
  }

  /** Whether a topic holds entries of one run or of many. */
  public static boolean isTopic(Topics topics, String topic) {
    return topic.equals(topics.control()) || topic.startsWith(topics.control(""));
  }

  /** The topic of a run's entries. */
  public String topic(Topics topics, String runId) {
    return this == SHARED ? topics.control() : topics.control(runId);
  }
}
