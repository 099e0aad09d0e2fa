package io.sluice.jobs.mix.reweight;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which topics brokers have. */
record KafkaLogTopics(Admin admin) implements LogTopics {
  private static final Logger LOG = LoggerFactory.getLogger(KafkaLogTopics.class);

  @Override
  public Set<String> present(Collection<String> topics) {
    Set<String> present = new HashSet<>();
    admin
        .describeTopics(topics)
        .topicNameValues()
        .forEach(
            (topic, answer) -> {
              try {
                present.add(answer.get().name());
              } catch (ExecutionException e) {
                LOG.debug("Topic {} is not there now", topic, e.getCause());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptException(e);
              }
            });
    return present;
  }

  @Override
  public void close() {
    admin.close(Duration.ZERO);
  }
}
