package io.sluice.jobs.mix.mark;

import io.sluice.schema.Topics;
import io.sluice.schema.WholeStream;
import java.util.Collection;
import java.util.Map;

/** What is kept of streams that are whole. */
public interface StreamMarks {
  /** The newest of each run, by its id; none where the topic is missing. */
  Map<String, WholeStream> read();

  /**
   * Whether a mark can be one of a run, whose id is its name, a dot and a suffix. Anybody may have
   * written it: a client of Kafka's ends for good on a name that it cannot send.
   */
  static boolean isOf(String runId, WholeStream mark) {
    return mark.getRunId().equals(runId)
        && Topics.runOf(runId).equals(mark.getRun())
        && Topics.NAME.matcher(mark.getRun()).matches()
        && mark.getLanes() > 0
        && mark.getLanes() <= mark.getEnds().size();
  }

  /**
   * Keeps marks, and takes back those of other runs; returns once that is written.
   *
   * @throws org.apache.kafka.common.KafkaException if it cannot be written
   */
  void write(Collection<WholeStream> marks, Collection<String> revoked);
}
