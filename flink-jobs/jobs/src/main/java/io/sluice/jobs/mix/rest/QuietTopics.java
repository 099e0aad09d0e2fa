package io.sluice.jobs.mix.rest;

import java.io.Serializable;
import java.util.Set;

/** Whoever looks for topics asks here which need not be read, and tells which are gone. */
@FunctionalInterface
public interface QuietTopics extends Serializable {
  /** Whether a topic need not be read now. */
  boolean isQuiet(String topic);

  /** Takes note of topics that there were and that are not there any more. */
  default void gone(Set<String> topics) {}
}
