package io.sluice.client.derive;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.run.RunLogFold;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.ChainHash;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.EntryDigest;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.WireCodec;
import io.sluice.schema.WireFormatException;
import io.sluice.schema.segment.BatchDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is derived of control logs, by the examples of docs/protocol.md. */
final class DerivationVectorsTest {
  private static final long FINGERPRINT = 0x5EED;
  private static final int[] WORLDS = {1, 3, 8};

  static List<JsonNode> derived() throws IOException {
    return list(read("derived"));
  }

  private static JsonNode read(String name) throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/" + name + ".json");
    return new ObjectMapper().readTree(file.toFile());
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  @ParameterizedTest
  @MethodSource
  void derived(JsonNode vector) {
    Derivation derivation = new Derivation(vector.get("runId").textValue(), 1);
    follow(vector, derivation);
    for (JsonNode batch : vector.get("batches")) {
      assertBatch(derivation, batch, ends(vector));
    }
  }

  @ParameterizedTest
  @MethodSource("derived")
  void anySnapshotIsABeginning(JsonNode vector) {
    List<JsonNode> log = list(vector.get("log"));
    for (int i = 0; i < log.size(); i++) {
      ControlRecord record = record(log.get(i));
      if (record.getBody() instanceof LogSnapshot) {
        Derivation derivation = new Derivation(vector.get("runId").textValue(), 1);
        derivation.begin(record);
        log.subList(i + 1, log.size()).forEach(later -> derivation.apply(record(later)));
        assertThat(derivation.has(1)).isFalse();
        for (JsonNode batch : vector.get("batches")) {
          if (derivation.has(batch.get("batch").longValue())) {
            assertBatch(derivation, batch, ends(vector));
          }
        }
      }
    }
  }

  private static ControlRecord record(JsonNode record) {
    return WireCodec.decode(ControlRecord.class, value(record));
  }

  private static byte[] value(JsonNode record) {
    return HexFormat.of().parseHex(record.get("value").textValue());
  }

  private static void follow(JsonNode vector, Derivation derivation) {
    RunLogFold fold = new RunLogFold(vector.get("runId").textValue(), derivation);
    for (JsonNode record : vector.get("log")) {
      try {
        long digest = EntryDigest.of(value(record));
        fold.apply(0, record.get("offset").longValue(), record(record), digest);
      } catch (WireFormatException e) {
        assertThat(record.get("reading").textValue()).as(e.getMessage()).isEqualTo("ignored");
      }
    }
  }

  private static DomainEnds ends(JsonNode vector) {
    return new DomainEnds() {
      @Override
      public OptionalLong blocks(String domain, int lane) {
        JsonNode sizes = vector.get("endedBlocks").path(domain);
        return sizes.isArray()
            ? OptionalLong.of(sizes.get(lane).longValue())
            : OptionalLong.empty();
      }

      @Override
      public boolean isInPlace(String domain, int lane) {
        return false;
      }
    };
  }

  private static void assertBatch(Derivation derivation, JsonNode expected, DomainEnds ends) {
    long number = expected.get("batch").longValue();
    for (int i = 0; i < WORLDS.length; i++) {
      List<JsonNode> digests = list(expected.get("digests").get(i));
      assertThat(digests).hasSize(WORLDS[i]);
      for (int rank = 0; rank < WORLDS[i]; rank++) {
        DerivedBatch part = derivation.derive(number, TrainerRank.of(rank, WORLDS[i]), ends);
        assertThat(digest(part)).isEqualTo(digests.get(rank).textValue());
      }
    }
    DerivedBatch whole = derivation.derive(number, TrainerRank.single(), ends);
    assertThat(whole.timeline()).isEqualTo(expected.get("timeline").intValue());
    assertThat(whole.firstIndex()).isEqualTo(expected.get("firstIndex").longValue());
    assertThat(whole.size()).isEqualTo(expected.get("size").intValue());
    assertThat(whole.weightsVersion()).isEqualTo(expected.get("weightsVersion").intValue());
    assertThat(whole.domain()).isEqualTo(ints(expected.get("domains")));
    assertThat(whole.ordinal()).isEqualTo(longs(expected.get("ordinals")));
    assertThat(whole.block()).isEqualTo(longs(expected.get("blocks")));
  }

  private static int[] ints(JsonNode array) {
    return list(array).stream().mapToInt(JsonNode::intValue).toArray();
  }

  private static long[] longs(JsonNode array) {
    return list(array).stream().mapToLong(JsonNode::longValue).toArray();
  }

  /** With what stands for a block in a stream's chain in place of its row's hash. */
  private static String digest(DerivedBatch part) {
    long[] hashes = new long[part.rows()];
    for (int row = 0; row < hashes.length; row++) {
      long domain = ChainHash.domain(FINGERPRINT, part.domainOf(row));
      hashes[row] = ChainHash.mix(domain + ((long) part.lane()[row] << 48) + part.block()[row]);
    }
    return HexFormat.of().toHexDigits(BatchDigest.of(part.index(0), hashes));
  }

  @Test
  void isTheStreamOfTheWholeRun() throws IOException {
    JsonNode vector = read("run");
    Derivation derivation = new Derivation(vector.get("runId").textValue(), 1);
    follow(vector, derivation);
    Map<Long, JsonNode> stream = new HashMap<>();
    for (JsonNode sequence : vector.get("stream")) {
      StreamHeader header = header(sequence);
      stream.merge(
          header.index(),
          sequence,
          (old, next) -> header(old).timeline() > header.timeline() ? old : next);
    }
    int last = vector.get("state").get("granted").intValue();
    for (long batch = 1; batch <= last; batch++) {
      DerivedBatch whole = derivation.derive(batch, TrainerRank.single(), ends(vector));
      for (int row = 0; row < whole.rows(); row++) {
        JsonNode sequence = stream.get(whole.index(row));
        JsonNode block = sequence.get("block");
        StreamHeader header = header(sequence);
        assertThat(
                Arrays.asList(
                    (long) header.timeline(),
                    header.batch(),
                    header.firstIndex(),
                    (long) header.batchSize(),
                    (long) header.weightsVersion(),
                    header.ordinal(),
                    block.get("lane").longValue(),
                    block.get("ordinal").longValue(),
                    block.get("domain").textValue()))
            .containsExactly(
                (long) whole.timeline(),
                whole.batch(),
                whole.firstIndex(),
                (long) whole.size(),
                (long) whole.weightsVersion(),
                whole.ordinal()[row],
                (long) whole.lane()[row],
                whole.block()[row],
                whole.domainOf(row));
      }
    }
  }

  private static StreamHeader header(JsonNode sequence) {
    return StreamHeader.decode(HexFormat.of().parseHex(sequence.get("header").textValue()));
  }
}
