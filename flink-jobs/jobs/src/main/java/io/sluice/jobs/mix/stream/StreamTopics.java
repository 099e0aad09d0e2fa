package io.sluice.jobs.mix.stream;

import java.util.Optional;

/** What is known of the stream topics themselves. */
interface StreamTopics extends AutoCloseable {
  /**
   * Why a run's stream cannot be written to its topic: the topic is missing, is another one than
   * the run was started with, or may not be seen. Empty when nothing speaks against it, also when
   * the broker does not answer.
   */
  Optional<String> refusal(StreamTarget target);

  @Override
  void close();
}
