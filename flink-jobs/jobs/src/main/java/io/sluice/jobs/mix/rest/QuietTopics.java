package io.sluice.jobs.mix.rest;

import java.io.Serializable;

/** Topics that need not be read. */
@FunctionalInterface
public interface QuietTopics extends Serializable {
  /** Whether a topic need not be read now. */
  boolean isQuiet(String topic);
}
