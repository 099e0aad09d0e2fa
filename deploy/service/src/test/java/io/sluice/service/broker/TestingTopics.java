package io.sluice.service.broker;

import io.sluice.control.topics.TopicLeaders;
import io.sluice.service.Patience;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Topics that a test writes to at once. */
public final class TestingTopics {
  private TestingTopics() {}

  /** Makes topics, and returns when their leaders take records. */
  public static void make(Admin admin, List<NewTopic> topics)
      throws ExecutionException, InterruptedException {
    admin.createTopics(topics).all().get();
    TopicLeaders.await(admin, topics.stream().map(NewTopic::name).toList(), Patience.MINUTE);
  }
}
