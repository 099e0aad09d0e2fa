package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.BlockReader;
import io.sluice.client.error.RewoundException;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.Timelines;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.ChainHash;
import io.sluice.schema.RunSpec;
import io.sluice.schema.StreamHeader;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a client makes of each record of a stream, by the examples of docs/protocol.md. */
final class ReadingVectorsTest {
  static List<JsonNode> consumer() throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/consumer.json");
    return StreamSupport.stream(new ObjectMapper().readTree(file.toFile()).spliterator(), false)
        .toList();
  }

  @ParameterizedTest
  @MethodSource
  void consumer(JsonNode vector) {
    long fingerprint = Long.parseUnsignedLong(vector.get("fingerprint").textValue(), 16);
    StreamAssembler assembler = assembler(vector, fingerprint);
    for (JsonNode record : vector.get("records")) {
      String expected = record.get("reading").textValue();
      if (record.has("rewoundTo")) {
        expected += " to " + record.get("rewoundTo").longValue();
      } else if (record.has("completes")) {
        expected += ", completes " + record.get("completes").longValue();
      }
      assertThat(reading(assembler, record, fingerprint)).as(record.toString()).isEqualTo(expected);
    }
  }

  private static StreamAssembler assembler(JsonNode vector, long fingerprint) {
    int version = vector.has("planVersion") ? vector.get("planVersion").intValue() : 1;
    Timelines timelines = null;
    for (JsonNode each : vector.get("timelines")) {
      long after = each.get("after").longValue();
      long firstIndex = each.get("firstIndex").longValue();
      timelines =
          timelines == null
              ? Timelines.startingAfter(after, firstIndex, ChainHash.start(version, "r.1"))
              : timelines.opening(each.get("timeline").intValue(), after, firstIndex);
    }
    int partitions = vector.get("streamPartitions").intValue();
    long batch = vector.get("batch").longValue();
    RunSpec spec =
        RunSpec.newBuilder(TestingStream.spec(partitions, new int[] {1}))
            .setFingerprint(fingerprint)
            .build();
    return new StreamAssembler(
        new StreamState("r.1", timelines.owner(batch), batch, vector.get("firstIndex").longValue()),
        timelines,
        partitions,
        new BlockReader(new RunInfo("r.1", spec)),
        TrainerRank.single(),
        IntStream.range(0, partitions).boxed().toList());
  }

  private static String reading(StreamAssembler assembler, JsonNode record, long fingerprint) {
    int partition = record.get("partition").intValue();
    long before = assembler.expected(partition);
    byte[] header = HexFormat.of().parseHex(record.get("header").textValue());
    try {
      assembler.offer(
          partition, StreamHeader.decode(header), value(record.get("block"), fingerprint));
    } catch (RewoundException e) {
      return "rewound to " + e.batch();
    } catch (StreamCorruptException e) {
      return "corrupt";
    }
    Optional<GlobalBatch> complete = assembler.take();
    return (assembler.expected(partition) > before ? "accepted" : "passed over")
        + complete.map(batch -> ", completes " + batch.batch()).orElse("");
  }

  private static ByteBuffer value(JsonNode block, long fingerprint) {
    if (block.isNull()) {
      return ByteBuffer.wrap(new byte[] {1, 2, 3});
    }
    TokenBlock encoded =
        TokenBlock.newBuilder(
                TestingStream.block(
                    block.get("domain").textValue(), block.get("ordinal").longValue()))
            .setFingerprint(fingerprint)
            .setLane(block.get("lane").intValue())
            .build();
    return ByteBuffer.wrap(WireCodec.encode(encoded));
  }
}
