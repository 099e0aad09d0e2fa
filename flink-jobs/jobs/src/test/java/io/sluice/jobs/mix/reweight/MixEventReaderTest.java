package io.sluice.jobs.mix.reweight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.controller.TestingController;
import io.sluice.control.controller.TestingRuns;
import io.sluice.jobs.mix.reweight.MixEvent.Kind;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerFeedback;
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
  private static final String RUN = "velo.1a2b";
  private static final TrainerFeedback REPORT =
      TrainerFeedback.newBuilder(TestingRuns.feedback(0, 1, 1)).setRunId(RUN).build();
  private static final TrainerProgress PROGRESS =
      TrainerProgress.newBuilder(TestingRuns.progress(3)).setRunId(RUN).build();

  @Test
  void namesTheRunAndTheKindOfEveryRecord() {
    assertRead(TOPICS.runs(), TestingRuns.apply(TestingRuns.spec().build()), Kind.COMMAND);
    assertRead(TOPICS.feedback("velo"), REPORT, Kind.FEEDBACK);
    assertRead(TOPICS.feedback("velo"), PROGRESS, Kind.FEEDBACK);
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
    assertThat(event.runId).isEqualTo(MixEvent.runIdOf(message));
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
    TrainerProgress nobody = TrainerProgress.newBuilder(PROGRESS).build();
    nobody.setRunId("");
    assertRefused(WireCodec.encode(nobody), "runId must have 1 to 255 characters: 0");
    byte[] cut = WireCodec.encode(REPORT);
    assertThat(read(TOPICS.feedback("velo"), null, Arrays.copyOf(cut, 20)).reason)
        .startsWith("truncated or corrupt record");
    assertThatThrownBy(read(TOPICS.feedback("velo"), RUN, Arrays.copyOf(cut, 20))::message)
        .hasMessageStartingWith("truncated or corrupt record");
  }

  /** With a key or without, in whichever place it is decoded. */
  private static void assertRefused(byte @Nullable [] bytes, String reason) {
    assertRefused(read(TOPICS.feedback("velo"), RUN, bytes), RUN, reason);
    MixEvent without = read(TOPICS.feedback("velo"), null, bytes);
    assertThat(without.kind).isEqualTo(Kind.UNDECODABLE);
    assertRefused(without, "", reason);
  }

  private static void assertRefused(MixEvent event, String runId, String reason) {
    assertThat(event.runId).isEqualTo(runId);
    assertThatThrownBy(event::message)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(reason);
  }

  @Test
  void feedbackGoesByItsKeyAndIsNotDecodedOnTheWay() {
    MixEvent garbage = read(TOPICS.feedback("velo"), RUN, new byte[] {1, 2});
    assertThat(garbage.kind).isEqualTo(Kind.FEEDBACK);
    assertThat(garbage.runId).isEqualTo(RUN);
    byte[] report = WireCodec.encode(REPORT);
    assertThat(read(TOPICS.feedback("velo"), RUN, report).message()).isEqualTo(REPORT);
    assertRefused(
        read(TOPICS.feedback("velo"), "velo.other", report),
        "velo.other",
        "runId must be the key 'velo.other': '" + RUN + "'");
    assertThat(read(TOPICS.feedback("velo"), "x".repeat(256), report).runId)
        .as("what cannot be a run's id is no key")
        .isEqualTo(RUN);
  }

  @Test
  void whatIsWrittenToOneRunsFeedbackDoesNotReachAnother() {
    byte[] report = WireCodec.encode(REPORT);
    String reason = "topic %s must not hold feedback of run '" + RUN + "'";
    for (String run : List.of("a", "vel", "velo2", "velo.1a2b")) {
      String topic = TOPICS.feedback(run);
      assertRefused(read(topic, RUN, report), "", reason.formatted(topic));
      assertRefused(read(topic, null, report), "", reason.formatted(topic));
      assertThat(read(topic, RUN, null).runId)
          .as("not even as something that cannot be used")
          .isEmpty();
    }
  }

  @Test
  void commandsGoByTheRunThatTheyNameWhateverTheirKeyIs() {
    byte[] command = WireCodec.encode(TestingRuns.apply(TestingRuns.spec().build()));
    assertThat(read(TOPICS.runs(), "other-1", command).runId).isEqualTo(TestingRuns.RUN);
    MixEvent garbage = read(TOPICS.runs(), "other-1", new byte[0]);
    assertThat(garbage.kind).isEqualTo(Kind.UNDECODABLE);
    assertThat(garbage.runId).isEqualTo("other-1");
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

  @Test
  void aRunsOwnLogHoldsNothingOfAnother() {
    ControlRecord start = TestingController.started(TestingRuns.spec().build()).log.all().get(0);
    assertRead(TOPICS.control(TestingRuns.RUN), start, Kind.CONTROL);
    assertThat(read(TOPICS.control("other.1"), null, WireCodec.encode(start)).reason)
        .isEqualTo(
            "the log of run '%s' is not sluice.control.other.1, it must be sluice.control.%s"
                .formatted(TestingRuns.RUN, TestingRuns.RUN));
  }
}
