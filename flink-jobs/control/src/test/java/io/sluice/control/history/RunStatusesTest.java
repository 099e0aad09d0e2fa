package io.sluice.control.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.EmissionWait;
import io.sluice.schema.RunStatus;
import io.sluice.schema.SealingWait;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

final class RunStatusesTest {
  private static ConsumerRecord<byte[], byte[]> record(String key, byte[] value) {
    byte[] bytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    return new ConsumerRecord<>("status", 0, 0, bytes, value);
  }

  private static byte[] status(String runId, long granted) {
    return WireCodec.encode(
        RunStatus.newBuilder()
            .setRunId(runId)
            .setRun(runId)
            .setPhase("running")
            .setTimeline(0)
            .setGranted(granted)
            .setProgress(0)
            .setWeightsVersion(1)
            .setWaiting("")
            .setTimeMillis(1)
            .build());
  }

  private static byte[] wait(String runId, int lane, String reason) {
    return WireCodec.encode(new EmissionWait(runId, lane, reason, 1L));
  }

  @Test
  void theNewestStatusCountsAndAWaitUntilItIsTakenBack() {
    RunStatuses read =
        RunStatuses.of(
            List.of(
                record("a", status("a", 1)),
                record("a/0", wait("a", 0, "for blocks")),
                record("a/1", wait("a", 1, "for the broker")),
                record("b/0", wait("b", 0, "for blocks")),
                record("a", status("a", 2)),
                record("b/0", null),
                record(
                    "/books", WireCodec.encode(new SealingWait("books", "the disk is full", 1L))),
                record("/papers", WireCodec.encode(new SealingWait("papers", "no folder", 1L))),
                record("/papers", null),
                record("a/1", wait("a", 1, "for memory")),
                record(null, new byte[] {1, 2, 3})));
    assertThat(read.runs()).hasSize(1);
    assertThat(read.runs().get("a").getGranted()).isEqualTo(2);
    assertThat(read.sealing()).isEqualTo(Map.of("books", "the disk is full"));
    assertThat(read.waits()).isEqualTo(Map.of("a", Map.of(0, "for blocks", 1, "for memory")));
  }
}
