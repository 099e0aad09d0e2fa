package io.sluice.cli.doctor;

import io.sluice.cli.reach.Contact;
import io.sluice.cli.reach.Contact.Versions;
import io.sluice.cli.reach.Reachability;
import io.sluice.control.topics.TransactionVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.FeatureMetadata;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.AppInfoParser;

/** Whether brokers take the requests that the commands and the jobs send. */
record VersionsCheck(Brokers brokers) implements Check {
  private static final String UPGRADE = "the brokers must be of Kafka 4.0 or later";

  /** What is sent by readers and writers, exactly-once sinks, and whoever makes topics. */
  private static final List<ApiKeys> NEEDED =
      List.of(
          ApiKeys.PRODUCE,
          ApiKeys.FETCH,
          ApiKeys.LIST_OFFSETS,
          ApiKeys.METADATA,
          ApiKeys.FIND_COORDINATOR,
          ApiKeys.OFFSET_COMMIT,
          ApiKeys.OFFSET_FETCH,
          ApiKeys.INIT_PRODUCER_ID,
          ApiKeys.END_TXN,
          ApiKeys.CREATE_TOPICS,
          ApiKeys.DELETE_TOPICS,
          ApiKeys.DELETE_RECORDS,
          ApiKeys.DESCRIBE_CONFIGS,
          ApiKeys.INCREMENTAL_ALTER_CONFIGS,
          ApiKeys.DESCRIBE_TRANSACTIONS,
          ApiKeys.LIST_TRANSACTIONS);

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
              name(),
              "client %s, brokers' features %s"
                  .formatted(AppInfoParser.getVersion(), shown(features.finalizedFeatures()))));
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
    for (ApiKeys needed : NEEDED) {
      Versions taken = broker.versions().get(needed.id);
      boolean overlap =
          taken != null
              && taken.least() <= needed.latestVersion()
              && taken.most() >= needed.oldestVersion();
      if (!overlap) {
        findings.add(
            Finding.failure(
                name(),
                "%s takes %s of %s, this client sends %d to %d"
                    .formatted(
                        broker.server(),
                        taken == null
                            ? "no version"
                            : "versions " + taken.least() + " to " + taken.most(),
                        needed.name,
                        needed.oldestVersion(),
                        needed.latestVersion()),
                UPGRADE));
      }
    }
    return findings;
  }
}
