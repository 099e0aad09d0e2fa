package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.controller.TestingController;
import io.sluice.control.controller.TestingRuns;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.types.PojoTestUtils;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MixEventReaderTest {
  private static final Topics TOPICS = Topics.standard();

  @Test
  void namesTheRunAndTheKindOfEveryRecord() {
    assertRead(TOPICS.runs(), TestingRuns.apply(TestingRuns.spec().build()), Kind.COMMAND);
    assertRead(TOPICS.feedback("velo"), TestingRuns.feedback(0, 1, 1), Kind.FEEDBACK);
    assertRead(TOPICS.feedback("velo"), TestingRuns.progress(3), Kind.PROGRESS);
    TestingController controller = TestingController.started(TestingRuns.spec().build());
    assertRead(TOPICS.control(), controller.log.all().get(0), Kind.CONTROL);
    MixEvent supply =
        read(TOPICS.supply("books"), null, WireCodec.encode(TestingRuns.supply("a", 1, true)));
    assertThat(supply.kind).isEqualTo(Kind.SUPPLY);
    assertThat(supply.runId).isEmpty();
  }

  private static void assertRead(String topic, SpecificRecordBase message, Kind kind) {
    byte[] bytes = WireCodec.encode(message);
    MixEvent event = read(topic, null, bytes);
    assertThat(event.kind).isEqualTo(kind);
    assertThat(event.runId).isEqualTo(TestingRuns.RUN);
    assertThat(event.topic).isEqualTo(topic);
    assertThat(event.offset).isEqualTo(7);
    assertThat(event.bytes).isEqualTo(bytes);
    assertThat(event.reason).isEmpty();
  }

  @Test
  void givesTheReasonWhyARecordCannotBeUsed() {
    assertRefused(
        new byte[] {1, 2},
        "not Avro single-object encoding: 2 bytes that do not start with C3 01 and a schema"
            + " fingerprint");
    assertRefused(null, "a record without a value");
    assertRefused(
        WireCodec.encode(TestingRuns.supply("a", 1, true)),
        "topic sluice.feedback.velo must not hold a Supply");
    TrainerProgress nobody = TrainerProgress.newBuilder(TestingRuns.progress(1)).build();
    nobody.setRunId("");
    assertRefused(WireCodec.encode(nobody), "runId must have 1 to 255 characters: 0");
    byte[] cut = WireCodec.encode(TestingRuns.feedback(0, 1, 1));
    assertThat(read(TOPICS.feedback("velo"), null, Arrays.copyOf(cut, 20)).reason)
        .startsWith("truncated or corrupt record");
  }

  private static void assertRefused(byte @Nullable [] bytes, String reason) {
    MixEvent event = read(TOPICS.feedback("velo"), TestingRuns.RUN, bytes);
    assertThat(event.kind).isEqualTo(Kind.UNDECODABLE);
    assertThat(event.runId).isEqualTo(TestingRuns.RUN);
    assertThat(event.reason).isEqualTo(reason);
  }

  @Test
  void passesBetweenOperatorsWithoutKryo() {
    PojoTestUtils.assertSerializedAsPojoWithoutKryo(MixEvent.class);
    PojoTestUtils.assertSerializedAsPojoWithoutKryo(KeyedRecord.class);
    assertThat(new MixEventReader(TOPICS).getProducedType().getTypeClass())
        .isEqualTo(MixEvent.class);
  }

  private static MixEvent read(String topic, @Nullable String key, byte @Nullable [] bytes) {
    List<MixEvent> events = new ArrayList<>();
    byte[] keyBytes = key == null ? null : key.getBytes(StandardCharsets.UTF_8);
    new MixEventReader(TOPICS)
        .deserialize(
            new ConsumerRecord<>(topic, 0, 7, keyBytes, bytes), new ListCollector<>(events));
    assertThat(events).hasSize(1);
    return events.get(0);
  }
}
