package io.sluice.control.history;

import io.sluice.schema.LogBeginning;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Where control logs are read: topics of one partition each. */
public interface LogSource {
  /** Names of the topics there are that begin so. */
  Set<String> topics(String prefix);

  /** Whether there is a topic of this name. */
  boolean exists(String topic);

  /**
   * Hands on the records of each topic, from its oldest on, until one is what is looked for or the
   * topic ends; those of different topics in any order. A topic that goes meanwhile has no more.
   *
   * @param found whether a record is the last that is wanted of its topic
   */
  void heads(Collection<String> topics, Predicate<ConsumerRecord<byte[], byte[]>> found);

  /** Hands on all records of a topic, as far as it goes now. */
  void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> reader);

  /**
   * Hands on the records of a topic from an offset on, as far as it goes now.
   *
   * @param offset of a record
   */
  void readFrom(String topic, long offset, Consumer<ConsumerRecord<byte[], byte[]>> reader);

  /**
   * Where who wants what follows a batch begins with a run's own log.
   *
   * @param batch {@link Long#MAX_VALUE} for what the run has come to
   * @return empty if there is no such log
   */
  Optional<LogBeginning> before(String runId, long batch);
}
