package io.sluice.cli.doctor;

import io.sluice.control.reach.Contact;
import io.sluice.control.reach.Contact.Versions;
import io.sluice.control.reach.Reachability;
import io.sluice.control.topics.TransactionVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;

/** Whether brokers take the requests that the commands and the jobs send. */
record VersionsCheck(Brokers brokers) implements Check {
  private static final String UPGRADE = "the brokers must be of Kafka 4.0 or later";

  /**
   * What is sent by readers and writers, exactly-once sinks, and whoever makes topics, with the
   * oldest version of each that clients of Kafka 4 still send (KIP-896).
   */
  private static final List<Request> NEEDED =
      List.of(
          new Request(0, "Produce", 3),
          new Request(1, "Fetch", 4),
          new Request(2, "ListOffsets", 1),
          new Request(3, "Metadata", 0),
          new Request(8, "OffsetCommit", 2),
          new Request(9, "OffsetFetch", 1),
          new Request(10, "FindCoordinator", 0),
          new Request(19, "CreateTopics", 2),
          new Request(20, "DeleteTopics", 1),
          new Request(21, "DeleteRecords", 0),
          new Request(22, "InitProducerId", 0),
          new Request(26, "EndTxn", 0),
          new Request(32, "DescribeConfigs", 1),
          new Request(44, "IncrementalAlterConfigs", 0),
          new Request(65, "DescribeTransactions", 0),
          new Request(66, "ListTransactions", 0));

  /**
   * A request of Kafka's protocol.
   *
   * @param key its number there
   * @param oldest version that is sent
   */
  private record Request(int key, String name, int oldest) {}

  @Override
  public String name() {
    return "versions";
  }

  @Override
  public List<Finding> look() throws ExecutionException, InterruptedException {
    List<Finding> findings = new ArrayList<>();
    List<String> servers = Reachability.servers(brokers.access().bootstrapServers());
    for (Contact contact : new Reachability(brokers.access(), Reachability.LIMIT).ask(servers)) {
      if (contact instanceof Contact.Answered broker) {
        findings.addAll(requests(broker));
      }
    }
    FeatureMetadata features = brokers.admin().describeFeatures().featureMetadata().get();
    if (!features.supportedFeatures().containsKey(TransactionVersion.FEATURE)) {
      findings.add(
          Finding.failure(
              name(), "the brokers do not know " + TransactionVersion.FEATURE, UPGRADE));
    }
    if (findings.isEmpty()) {
      findings.add(
          Finding.ok(
              name(), "the brokers' features are at " + shown(features.finalizedFeatures())));
    }
    return findings;
  }

  private static Map<String, Integer> shown(Map<String, FinalizedVersionRange> features) {
    Map<String, Integer> shown = new TreeMap<>();
    features.forEach((name, range) -> shown.put(name, (int) range.maxVersionLevel()));
    return shown;
  }

  /** A failure for each request that this client cannot send to a broker. */
  List<Finding> requests(Contact.Answered broker) {
    List<Finding> findings = new ArrayList<>();
    for (Request needed : NEEDED) {
      Versions taken = broker.versions().get((short) needed.key());
      if (taken == null || taken.most() < needed.oldest()) {
        findings.add(
            Finding.failure(
                name(),
                "%s takes %s of %s, and %d is the oldest that is sent"
                    .formatted(
                        broker.server(),
                        taken == null ? "no version" : "versions up to " + taken.most(),
                        needed.name(),
                        needed.oldest()),
                UPGRADE));
      }
    }
    return findings;
  }
}
