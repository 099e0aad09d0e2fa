package io.sluice.control.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicSettingsTest {
  @Test
  void aLogIsNeverTrimmedByItself() {
    assertThat(TopicSettings.log("t", 3).configs())
        .containsOnly(
            Map.entry("cleanup.policy", "delete"),
            Map.entry("retention.ms", "-1"),
            Map.entry("retention.bytes", "-1"));
  }

  @Test
  void positionsAsTimestampsAreNotCheckedAgainstAClock() {
    assertThat(TopicSettings.log("t", 1).records(1000).positionTimestamps().configs())
        .containsEntry("message.timestamp.type", "CreateTime")
        .containsEntry("message.timestamp.before.max.ms", "9223372036854775807")
        .containsEntry("max.message.bytes", "1000")
        .containsEntry("retention.ms", "-1");
  }
}
