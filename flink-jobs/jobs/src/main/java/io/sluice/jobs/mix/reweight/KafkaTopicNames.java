package io.sluice.jobs.mix.reweight;

import io.sluice.schema.KafkaAccess;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Asks brokers. Connects for each call, which are rare. */
record KafkaTopicNames(KafkaAccess kafka) implements PresentTopicsReader.TopicNames {
  @Override
  public Set<String> present() throws InterruptedException {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      return admin.listTopics().names().get();
    } catch (ExecutionException e) {
      throw new KafkaException("cannot list the topics: " + e.getMessage(), e);
    }
  }

  @Override
  public Set<String> among(Set<String> names) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      return new KafkaLogTopics(admin).present(names);
    }
  }
}
