package io.sluice.jobs.mix.reweight;

import java.util.Collection;
import java.util.Set;

/** Tells which topics there are. */
interface LogTopics extends AutoCloseable {
  /** Those among these topics that there are, as far as is known; all are asked for at once. */
  Set<String> present(Collection<String> topics);

  @Override
  void close();
}
