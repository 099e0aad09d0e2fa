package io.sluice.lab.chaos;

import io.sluice.control.error.Answers;
import io.sluice.lab.chaos.fault.Leaders;
import io.sluice.lab.chaos.fault.PowerCut;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.Outcome;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.cluster.ClusterService;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.config.ConfigResource;

/** What goes wrong with brokers alone. */
record BrokerFaults(ClusterService service, History history, InstantSource clock) {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String FLUSH = "flush.messages";

  /**
   * Kills a broker, and takes from its logs what it had not had on its disk. If it is alone, nobody
   * else has that, and the history says so.
   *
   * @param since how long nothing had been written back
   * @param honest whether what the broker had flushed is there
   */
  String cutPower(ClusterService.Broker broker, Duration since, boolean honest, Random random) {
    Set<String> flushed = honest ? flushed(service.access()) : Set.of();
    long last = clock.millis();
    PowerCut cut = new PowerCut(broker.log(), flushed::contains);
    Waiting.pass(since);
    int[] shorter = new int[1];
    Future<Void> done = broker.process().kill(() -> shorter[0] = cut.cut(random));
    Answers.await(done, PATIENCE, "cutting the logs of " + broker.process().name());
    if (service.brokers().size() == 1) {
      history.add(Outcome.OK, "loss", line -> line.put("since", last));
    }
    return broker.process().name() + ", " + shorter[0] + " partitions shorter";
  }

  /** Topics of which each record is on the disk before it counts. */
  private static Set<String> flushed(KafkaAccess kafka) {
    Set<String> flushed = new HashSet<>();
    try (Admin admin = Admin.create(kafka.with(Map.of()))) {
      List<ConfigResource> topics =
          Answers.await(admin.listTopics().names(), PATIENCE, "listing the topics").stream()
              .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
              .toList();
      Map<ConfigResource, Config> configs =
          Answers.await(
              admin.describeConfigs(topics).all(), PATIENCE, "asking for topics' settings");
      configs.forEach(
          (topic, config) -> {
            if (config.get(FLUSH).value().equals("1")) {
              flushed.add(topic.name());
            }
          });
    }
    return flushed;
  }

  String changeLeaders(Random random) {
    return Leaders.change(service.access(), random) + " partitions";
  }
}
