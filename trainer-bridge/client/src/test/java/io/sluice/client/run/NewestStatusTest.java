package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.stream.TestingConsumer;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TopicReader;
import io.sluice.schema.WireCodec;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class NewestStatusTest {
  private static final String TOPIC = "sluice.status";

  private final TestingConsumer<byte[]> topic = TestingConsumer.of(500);

  private Optional<Long> progress(String runId) {
    KafkaAccess access = KafkaAccess.local("localhost:9092");
    return NewestStatus.of(TOPIC, runId, () -> new TopicReader(access, topic.again()))
        .map(RunStatus::getProgress);
  }

  private void write(String runId, long progress) {
    RunStatus status =
        RunStatus.newBuilder()
            .setRunId(runId)
            .setRun("r")
            .setPhase("running")
            .setTimeline(0)
            .setGranted(progress)
            .setProgress(progress)
            .setWeightsVersion(0)
            .setWaiting("")
            .setTimeMillis(0)
            .build();
    topic.append(TOPIC, 0, 0, WireCodec.encode(status), new RecordHeaders());
  }

  @Test
  void isTheLastThatWasSaidHoweverLongAgo() {
    assertThat(progress("r-1")).isEmpty();
    topic.create(TOPIC, 1);
    assertThat(progress("r-1")).isEmpty();
    write("r-0", 3);
    write("r-1", 5);
    write("r-1", 7);
    topic.append(TOPIC, 0, 0, new byte[] {1, 2}, new RecordHeaders());
    for (int other = 0; other < 5_000; other++) {
      write("r-" + (2 + other % 9), other);
    }
    assertThat(progress("r-1")).contains(7L);
    assertThat(progress("r-0")).contains(3L);
    assertThat(progress("r-2")).contains(4995L);
    assertThat(progress("r-99")).isEmpty();
  }
}
