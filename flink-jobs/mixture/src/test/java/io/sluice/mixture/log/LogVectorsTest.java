package io.sluice.mixture.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.mixture.Vectors;
import io.sluice.mixture.plan.Weights;
import io.sluice.mixture.smoothing.Guards;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which entries apply, and which timeline owns a batch, by the examples of docs/protocol.md. */
final class LogVectorsTest {
  private static final RunSettings SETTINGS =
      new RunSettings(
          List.of("a"),
          new TreeMap<>(Map.of(1L, 1)),
          Collections.emptyNavigableMap(),
          Collections.emptySortedMap(),
          0,
          42,
          Weights.uniform(1),
          "static",
          Map.of(),
          0,
          0,
          false,
          60_000,
          0,
          Guards.average(1),
          List.of(1),
          false,
          Set.of(),
          1,
          RunLimits.NONE);

  static List<JsonNode> acceptance() {
    return Vectors.list(Vectors.read("control-log"));
  }

  static List<JsonNode> owners() {
    return Vectors.list(Vectors.read("timelines"));
  }

  @ParameterizedTest
  @MethodSource
  void acceptance(JsonNode vector) {
    LogPosition at = LogPosition.start(vector.get("runId").textValue());
    for (JsonNode record : vector.get("records")) {
      ControlEntry entry =
          new ControlEntry(
              record.get("runId").textValue(),
              record.get("timeline").intValue(),
              record.get("serial").longValue(),
              record.get("basedOn").longValue(),
              new EntryDigests(number(record, "basedOnDigest"), record.path("digest").longValue()),
              "",
              body(record));
      String reading = reading(at, entry);
      assertThat(reading).as(record.toString()).isEqualTo(record.get("reading").textValue());
      at = reading.equals("applies") ? at.after(entry, record.get("offset").longValue()) : at;
    }
    JsonNode position = vector.get("position");
    assertThat(at)
        .isEqualTo(
            new LogPosition(
                at.runId(),
                position.get("timeline").intValue(),
                position.get("serial").longValue(),
                position.get("offset").longValue(),
                position.get("granted").longValue(),
                number(position, "digest")));
  }

  private static @Nullable Long number(JsonNode node, String name) {
    return node.has(name) ? node.get(name).longValue() : null;
  }

  private static String reading(LogPosition at, ControlEntry entry) {
    try {
      return at.accepts(entry) ? "applies" : "ignored";
    } catch (BrokenLogException e) {
      return "breaks";
    }
  }

  private static ControlEntry.Body body(JsonNode record) {
    return switch (record.get("body").textValue()) {
      case "RunStarted" ->
          new ControlEntry.Started(1, SETTINGS, snapshot(record.get("batch").longValue()));
      case "RunRevised" ->
          new ControlEntry.Revised(
              "c",
              SETTINGS,
              snapshot(record.get("batch").longValue()),
              record.get("skippedTo").longValue());
      case "LogSnapshot" ->
          new LogSummary(
              1,
              SETTINGS,
              RunPhase.RUNNING,
              Lineage.start(),
              snapshot(record.get("batch").longValue()),
              0,
              new TreeMap<>(),
              List.of());
      case "RunStateChanged" -> {
        RunPhase phase = RunPhase.ofWireName(record.get("state").textValue());
        yield record.get("refused").booleanValue()
            ? new ControlEntry.Refused(phase, "c")
            : new ControlEntry.PhaseChange(phase, "c");
      }
      default -> grant(record.get("after").longValue(), record.get("to").longValue());
    };
  }

  private static ControlEntry.Grant grant(long after, long to) {
    int[] ones = new int[(int) (to - after)];
    Arrays.fill(ones, 1);
    return new ControlEntry.Grant(
        after, to, after, 1, ones, ones, Weights.uniform(1), new long[0], Optional.empty());
  }

  private static Snapshot snapshot(long batch) {
    return new Snapshot(
        batch,
        batch,
        1,
        0,
        0,
        Weights.uniform(1),
        false,
        0,
        new byte[0],
        new long[1],
        new long[] {batch},
        new BitSet());
  }

  @ParameterizedTest
  @MethodSource
  void owners(JsonNode vector) {
    Lineage lineage = Lineage.start();
    int newest = 0;
    for (JsonNode revision : vector.get("revisions")) {
      if (revision.get("timeline").intValue() > newest) {
        newest = revision.get("timeline").intValue();
        lineage = lineage.opened(newest, revision.get("batch").longValue());
      }
    }
    for (JsonNode batch : vector.get("batches")) {
      assertThat(lineage.owner(batch.get("batch").longValue()))
          .as(batch.toString())
          .isEqualTo(batch.get("timeline").intValue());
    }
  }
}
