package io.sluice.lab.bench.measure;

import io.sluice.control.error.UnreachableException;
import io.sluice.control.topics.TopicLeaders;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Makes topics that may be many. */
final class NewTopics {
  /** The controller takes so many at once. */
  private static final int AT_ONCE = 500;

  private static final Duration WAIT = Duration.ofSeconds(30);

  private NewTopics() {}

  /** Creates topics, some hundred at a time. */
  static void create(KafkaAccess kafka, List<NewTopic> wanted) {
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      for (int from = 0; from < wanted.size(); from += AT_ONCE) {
        List<NewTopic> some = wanted.subList(from, Math.min(from + AT_ONCE, wanted.size()));
        admin.createTopics(some).all().get();
        TopicLeaders.await(admin, some.stream().map(NewTopic::name).toList(), WAIT);
      }
    } catch (ExecutionException e) {
      throw new UnreachableException("cannot create topics: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException("interrupted while topics were created", e);
    }
  }
}
