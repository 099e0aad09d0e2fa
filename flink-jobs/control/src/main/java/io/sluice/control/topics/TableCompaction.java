package io.sluice.control.topics;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings with which a table is compacted within minutes. By Kafka's own, what is replaced stays
 * until a segment of 1 GiB is full or seven days old, and everybody who starts reads it.
 *
 * <p>Nothing depends on them but how much there is to read, and some brokers allow no such values.
 * So they are asked for once a topic is there, never with its creation; what is refused is told and
 * left alone, and so is what somebody has set on the topic itself.
 */
final class TableCompaction {
  private static final Logger LOG = LoggerFactory.getLogger(TableCompaction.class);

  /**
   * A segment is closed after a minute or 32 MiB, for only closed ones are compacted: when half of
   * the table is outdated, or after ten minutes. Who begins to read has a day until deletions of
   * keys are forgotten.
   */
  static final Map<String, String> WISHED =
      Map.of(
          "segment.ms", "60000",
          "segment.bytes", Integer.toString(32 << 20),
          "min.cleanable.dirty.ratio", "0.5",
          "max.compaction.lag.ms", "600000",
          "delete.retention.ms", "86400000");

  private TableCompaction() {}

  /**
   * Asks for the settings that the tables have not been given.
   *
   * @param tables what each of them has now
   */
  static void ask(Admin admin, Map<String, Config> tables) {
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    tables.forEach(
        (name, configs) -> {
          List<AlterConfigOp> lacking = lacking(configs);
          if (!lacking.isEmpty()) {
            changes.put(new ConfigResource(ConfigResource.Type.TOPIC, name), lacking);
          }
        });
    if (!changes.isEmpty()) {
      admin
          .incrementalAlterConfigs(changes)
          .values()
          .forEach((topic, changed) -> await(topic.name(), changed));
    }
  }

  static List<AlterConfigOp> lacking(Config configs) {
    List<AlterConfigOp> lacking = new ArrayList<>();
    WISHED.forEach(
        (key, value) -> {
          ConfigEntry entry = configs.get(key);
          if (entry != null && entry.source() != ConfigSource.DYNAMIC_TOPIC_CONFIG) {
            lacking.add(new AlterConfigOp(new ConfigEntry(key, value), OpType.SET));
          }
        });
    return lacking;
  }

  /** What a table was not given, and nobody has set on it: its brokers have refused that. */
  static List<TopicDifference> differences(String topic, Config configs) {
    return lacking(configs).stream()
        .map(AlterConfigOp::configEntry)
        .flatMap(
            entry -> TopicSettings.compare(topic, entry.name(), entry.value(), configs).stream())
        .toList();
  }

  private static void await(String topic, KafkaFuture<Void> changed) {
    try {
      changed.get();
    } catch (ExecutionException e) {
      LOG.info(
          "topic {} keeps its broker's settings of compaction, and may hold much that is outdated:"
              + " {}",
          topic,
          String.valueOf(e.getCause()));
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
