package io.sluice.service.broker;

import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** Server settings of brokers that hold one person's data for good. */
final class BrokerProperties {
  /** Name of the controller's listener. */
  static final String CONTROLLER = "CONTROLLER";

  private static final int MIB = 1 << 20;

  /** Largest record: a corpus document of tens of megabytes fits. */
  private static final int LARGEST_MESSAGE = 96 * MIB;

  private static final int LARGEST_REQUEST = 128 * MIB;

  private static final int REPLICAS = 3;

  private static final String HOST = EmbeddedBroker.HOST;

  private BrokerProperties() {}

  /** Settings of one of the brokers of a cluster, which is among them. */
  static Properties of(BrokerNode node, List<BrokerNode> cluster) {
    Properties p = new Properties();
    p.setProperty("node.id", Integer.toString(node.id()));
    p.setProperty("process.roles", "broker,controller");
    p.setProperty(
        "controller.quorum.voters",
        cluster.stream().map(BrokerNode::voter).collect(Collectors.joining(",")));
    p.setProperty("controller.listener.names", CONTROLLER);
    p.setProperty(
        "listeners",
        "PLAINTEXT://"
            + HOST
            + ":"
            + node.port()
            + ","
            + CONTROLLER
            + "://"
            + HOST
            + ":"
            + node.controllerPort());
    p.setProperty("advertised.listeners", "PLAINTEXT://" + node.address());
    p.setProperty(
        "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
    p.setProperty("log.dirs", node.log().toString());
    replicas(p, cluster.size() < REPLICAS ? 1 : REPLICAS);
    keepEverything(p);
    largeRecords(p);
    smallMachine(p);
    manyTopics(p);
    if (cluster.size() > 1) {
      soonLedByAnother(p);
    } else {
      alone(p);
    }
    return p;
  }

  private static void replicas(Properties p, int replicas) {
    String copies = Integer.toString(replicas);
    String written = Integer.toString(Math.max(1, replicas - 1));
    p.setProperty("num.partitions", "1");
    p.setProperty("default.replication.factor", copies);
    p.setProperty("min.insync.replicas", written);
    p.setProperty("offsets.topic.replication.factor", copies);
    p.setProperty("offsets.topic.num.partitions", "1");
    p.setProperty("transaction.state.log.replication.factor", copies);
    p.setProperty("transaction.state.log.min.isr", written);
    p.setProperty("transaction.state.log.num.partitions", "1");
    p.setProperty("share.coordinator.state.topic.replication.factor", copies);
    p.setProperty("share.coordinator.state.topic.min.isr", written);
    p.setProperty("group.initial.rebalance.delay.ms", "0");
  }

  /** Timestamps are ordinals and batches, so no age limit may look at them. */
  private static void keepEverything(Properties p) {
    p.setProperty("auto.create.topics.enable", "false");
    p.setProperty("log.retention.ms", "-1");
    p.setProperty("log.retention.bytes", "-1");
    p.setProperty("log.message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE));
    p.setProperty("log.message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));
    p.setProperty("transaction.max.timeout.ms", Integer.toString(15 * 60 * 1000));
  }

  private static void largeRecords(Properties p) {
    p.setProperty("message.max.bytes", Integer.toString(LARGEST_MESSAGE));
    p.setProperty("replica.fetch.max.bytes", Integer.toString(LARGEST_MESSAGE));
    p.setProperty("socket.request.max.bytes", Integer.toString(LARGEST_REQUEST));
  }

  private static void smallMachine(Properties p) {
    // Two busy connections of one thread wait for each other; a thread more costs nothing.
    p.setProperty("num.network.threads", "8");
    p.setProperty("num.io.threads", "4");
    p.setProperty("background.threads", "4");
    // As large as the system lets them grow.
    p.setProperty("socket.send.buffer.bytes", "-1");
    p.setProperty("socket.receive.buffer.bytes", "-1");
    p.setProperty("log.cleaner.dedupe.buffer.size", Integer.toString(8 * MIB));
    // A killed broker's registration must expire before its successor is let in.
    p.setProperty("broker.session.timeout.ms", "3000");
    p.setProperty("broker.heartbeat.interval.ms", "500");
  }

  /**
   * What a killed broker led is led by another after some two seconds, also if it was the one that
   * decides that.
   */
  private static void soonLedByAnother(Properties p) {
    p.setProperty("broker.session.timeout.ms", "1500");
    p.setProperty("broker.heartbeat.interval.ms", "300");
    p.setProperty("controller.quorum.fetch.timeout.ms", "1000");
    p.setProperty("controller.quorum.election.timeout.ms", "500");
    p.setProperty("controller.quorum.election.backoff.max.ms", "500");
    // A follower that hears of the new leader before that leader does is refused once, and nothing
    // is acknowledged until it asks again.
    p.setProperty("replica.fetch.backoff.ms", "100");
  }

  /** A partition has ten management beans, a fifth of its heap; nobody reads them. */
  private static void manyTopics(Properties p) {
    p.setProperty("metrics.jmx.exclude", ".*");
    p.setProperty("metric.reporters", "");
  }

  private static void alone(Properties p) {
    // Twice a second it would take 8 MiB to tell other controllers nothing.
    p.setProperty("metadata.max.idle.interval.ms", Integer.toString(30_000));
    // Nor is there a replica that could fall behind.
    p.setProperty("replica.lag.time.max.ms", Integer.toString(10 * 60 * 1000));
  }
}
