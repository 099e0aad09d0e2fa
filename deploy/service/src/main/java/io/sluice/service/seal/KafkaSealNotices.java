package io.sluice.service.seal;

import io.sluice.control.topics.RecordWriter;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.KafkaUnreachableException;
import io.sluice.schema.Limits;
import io.sluice.schema.SealingWait;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices on the status topic. One that a broker does not take soon is left out. */
record KafkaSealNotices(KafkaAccess access, InstantSource clock) implements SealNotices {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSealNotices.class);
  private static final Duration WAIT = Duration.ofSeconds(10);

  @Override
  public void waits(String dataset, String why) {
    SealingWait wait = new SealingWait(dataset, Limits.shortened(why, Limits.TEXT), clock.millis());
    attempt(dataset, () -> RecordWriter.write(access, topic(), key(dataset), wait, WAIT));
  }

  @Override
  public void flows(String dataset) {
    attempt(dataset, () -> RecordWriter.delete(access, topic(), key(dataset), WAIT));
  }

  private static void attempt(String dataset, Runnable write) {
    try {
      write.run();
    } catch (KafkaException | KafkaUnreachableException e) {
      LOG.debug("nobody is told of dataset {}", dataset, e);
    }
  }

  private String topic() {
    return access.topics().status();
  }

  /** No run's id begins like that. */
  private static String key(String dataset) {
    return "/" + dataset;
  }
}
