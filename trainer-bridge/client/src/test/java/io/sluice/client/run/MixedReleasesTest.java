package io.sluice.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.client.stream.TestingLog;
import io.sluice.client.stream.TestingStream;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.WireCodec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A trainer of this release reads what jobs of other releases write into a run's log. */
final class MixedReleasesTest {
  private final RunInfo info = new TestingStream(1, 4).run();
  private final RunLogFold run = new RunLogFold(info.runId());

  static Stream<Schema> schemas() {
    return WireCodec.schemas(ControlRecord.class).stream();
  }

  @ParameterizedTest
  @MethodSource("schemas")
  void followsALogOfEachRelease(Schema written) {
    List<ControlRecord> entries =
        List.of(
            TestingLog.started(info),
            TestingLog.grant("r-1", 1, 0, 0, 30),
            TestingLog.revised(info, 1, 2, 1, 20, 160, 1),
            TestingLog.grant("r-1", 1, 3, 2, 20, 40, 1),
            TestingLog.state("r-1", 4, 3, "paused", "lunch"));
    entries.forEach(
        entry -> {
          if (entry.getSerial() > 3) {
            entry.setTimeline(1);
          }
          boolean now = written.equals(ControlRecord.getClassSchema());
          read(
              entry.getSerial(),
              now ? WireCodec.encode(entry) : WireCodec.encodeAs(written, entry));
        });
    assertThat(run.granted()).isEqualTo(40);
    assertThat(run.describe(41)).startsWith("run r-1 is paused (lunch); batch 41 is not granted");
  }

  @Test
  void passesOverWhatANewerJobHasWritten() {
    read(0, WireCodec.encode(TestingLog.started(info)));
    byte[] newer = WireCodec.encode(TestingLog.grant("r-1", 1, 0, 0, 10));
    newer[5] ^= 0x55;
    read(1, newer);
    assertThat(run.granted()).isZero();
    read(2, WireCodec.encode(TestingLog.grant("r-1", 1, 0, 0, 30)));
    assertThat(run.granted()).isEqualTo(30);
  }

  private void read(long offset, byte[] value) {
    Optional<ControlRecord> found =
        ControlRecords.decode(new ConsumerRecord<>("control.r-1", 0, offset, null, value));
    found.ifPresent(entry -> run.apply(0, offset, entry, EntryDigest.of(value)));
  }
}
