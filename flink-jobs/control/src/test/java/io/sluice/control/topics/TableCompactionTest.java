package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.junit.jupiter.api.Test;

class TableCompactionTest {
  private static ConfigEntry entry(String key, String value, ConfigSource source) {
    return new ConfigEntry(
        key, value, source, false, false, List.of(), ConfigEntry.ConfigType.LONG, "");
  }

  @Test
  void onlyWhatNobodyHasSetOnTheTopicIsAskedFor() {
    Config configs =
        new Config(
            List.of(
                entry("segment.ms", "604800000", ConfigSource.DEFAULT_CONFIG),
                entry("segment.bytes", "1073741824", ConfigSource.STATIC_BROKER_CONFIG),
                entry("min.cleanable.dirty.ratio", "0.1", ConfigSource.DYNAMIC_TOPIC_CONFIG),
                entry("cleanup.policy", "compact", ConfigSource.DYNAMIC_TOPIC_CONFIG)));

    assertThat(TableCompaction.lacking(configs))
        .extracting(AlterConfigOp::configEntry)
        .containsExactlyInAnyOrder(
            new ConfigEntry("segment.ms", "60000"), new ConfigEntry("segment.bytes", "33554432"));
    assertThat(TableCompaction.differences("t", configs))
        .containsExactlyInAnyOrder(
            new TopicDifference("t", "segment.ms", "60000", "604800000"),
            new TopicDifference("t", "segment.bytes", "33554432", "1073741824"));
  }

  @Test
  void aTableThatHasAllIsLeftAlone() {
    Config configs =
        new Config(
            TableCompaction.WISHED.entrySet().stream()
                .map(
                    wish ->
                        entry(wish.getKey(), wish.getValue(), ConfigSource.DYNAMIC_TOPIC_CONFIG))
                .toList());

    assertThat(TableCompaction.lacking(configs)).isEmpty();
    assertThat(TableCompaction.differences("t", configs)).isEmpty();
  }
}
