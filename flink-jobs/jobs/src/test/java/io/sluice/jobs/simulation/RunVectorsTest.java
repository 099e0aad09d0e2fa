package io.sluice.jobs.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.Snapshots;
import io.sluice.jobs.mix.source.SimulatedSplit;
import io.sluice.jobs.mix.stream.StreamRecord;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.mixture.log.ControlEntry;
import io.sluice.mixture.log.RunState;
import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A whole run by the example of docs/protocol.md: its log, its states, and its stream. */
final class RunVectorsTest {
  private static final HexFormat HEX = HexFormat.of();

  /** Polls without a sequence after which a split waits for its next grant. */
  private static final int IDLE = 5;

  private final JsonNode vector;
  private final List<SimulatedSplit> splits = new ArrayList<>();
  private final List<String> emitted = new ArrayList<>();
  private @Nullable BatchSnapshots past;

  RunVectorsTest() throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/run.json");
    vector = new ObjectMapper().readTree(file.toFile());
  }

  @Test
  void theLogTheStatesAndTheStreamAreThoseOfTheVectors() {
    for (JsonNode record : vector.get("log")) {
      boolean applied = decode(record).map(message -> apply(message, record)).orElse(false);
      assertThat(applied ? "applies" : "ignored").isEqualTo(record.get("reading").textValue());
    }
    assertStates();
    List<String> expected = new ArrayList<>();
    vector.get("stream").forEach(sequence -> expected.add(sequence.toString()));
    assertThat(emitted).containsExactlyElementsOf(expected);
  }

  private static byte[] value(JsonNode record) {
    return HEX.parseHex(record.get("value").textValue());
  }

  private static Optional<ControlRecord> decode(JsonNode record) {
    try {
      return Optional.of(WireCodec.decode(ControlRecord.class, value(record)));
    } catch (WireFormatException e) {
      return Optional.empty();
    }
  }

  private boolean apply(ControlRecord message, JsonNode record) {
    if (!message.getRunId().equals(vector.get("runId").textValue())) {
      return false;
    }
    ControlEntry entry = ControlWire.read(message, value(record));
    long offset = record.get("offset").longValue();
    boolean applied = true;
    if (past == null) {
      past = new BatchSnapshots(entry, offset);
      RunSpec spec = ((RunStarted) message.getBody()).getSpec();
      for (int lane = 0; lane < spec.getLanes(); lane++) {
        splits.add(SimulatedSplit.start(spec, lane, entry, offset));
      }
    } else {
      applied = past.apply(entry, offset);
      splits.forEach(split -> split.apply(entry, offset));
    }
    for (int lane = 0; lane < splits.size(); lane++) {
      drain(splits.get(lane), new Blocks(lane));
    }
    return applied;
  }

  private void drain(SimulatedSplit split, Blocks blocks) {
    for (int idle = 0; idle < IDLE; idle++) {
      split.fetch(blocks, 3);
      StreamRecord sequence = split.next();
      if (sequence != null) {
        emitted.add(describe(sequence));
        idle = 0;
      }
    }
  }

  /** As the vectors have it. */
  private static String describe(StreamRecord sequence) {
    String block = StandardCharsets.UTF_8.decode(sequence.value().duplicate()).toString();
    return "{\"partition\":%d,\"timestamp\":%d,\"header\":\"%s\",\"block\":%s}"
        .formatted(
            sequence.partition(), sequence.timestamp(), HEX.formatHex(sequence.header()), block);
  }

  /** A lane's blocks, which say what they are. */
  private final class Blocks implements SimulatedSplit.Blocks {
    private final int lane;

    Blocks(int lane) {
      this.lane = lane;
    }

    @Override
    public long size(int domain) {
      return ended(domain) ? sizes(domain).get(lane).longValue() : Long.MAX_VALUE;
    }

    @Override
    public boolean ended(int domain) {
      return sizes(domain).isArray();
    }

    private JsonNode sizes(int domain) {
      return vector.get("endedBlocks").path(name(domain));
    }

    private String name(int domain) {
      return "abcd".substring(domain, domain + 1);
    }

    @Override
    public byte[] block(int domain, long stored) {
      return "{\"domain\":\"%s\",\"lane\":%d,\"ordinal\":%d}"
          .formatted(name(domain), lane, stored)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  private void assertStates() {
    BatchSnapshots read = Objects.requireNonNull(past);
    RunState state = read.state();
    JsonNode expected = vector.get("state");
    assertThat(state.phase().wireName()).isEqualTo(expected.get("state").textValue());
    assertThat(state.position().timeline()).isEqualTo(expected.get("timeline").intValue());
    assertThat(state.position().serial()).isEqualTo(expected.get("serial").longValue());
    assertThat(state.position().granted()).isEqualTo(expected.get("granted").longValue());
    assertSnapshot(state.snapshot(), expected.get("snapshot"));
    for (JsonNode each : vector.get("past")) {
      assertSnapshot(read.asOf(each.get("batch").longValue()).snapshot(), each.get("snapshot"));
    }
  }

  private static void assertSnapshot(Snapshot found, JsonNode expected) {
    RunSnapshot record = Snapshots.write(found);
    expected
        .properties()
        .forEach(
            field ->
                assertThat(String.valueOf(record.get(field.getKey())).replace(" ", ""))
                    .as(field.getKey())
                    .isEqualTo(field.getValue().toString()));
  }
}
