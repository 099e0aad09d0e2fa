package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.Tokens;
import io.sluice.client.run.BatchSchedule;
import io.sluice.client.run.Reporter;
import io.sluice.client.run.StreamState;
import io.sluice.schema.TokenBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ValuesTest {
  private final TestingStream stream = new TestingStream(2, 5, 5, 7);

  @Test
  void streamStateSurvivesItsJson() {
    StreamState state = new StreamState("r-1", 2, 30, 960);
    assertThat(state.toJson())
        .isEqualTo(
            "{\"version\":1,\"runId\":\"r-1\",\"timeline\":2,\"batch\":30,\"firstIndex\":960}");
    assertThat(StreamState.parse(state.toJson())).isEqualTo(state);
    assertThat(
            StreamState.parse(
                " { \"version\": 1, \"runId\": \"r-1\", \"timeline\": 2,\n \"batch\": 30,"
                    + " \"firstIndex\": 960 } "))
        .isEqualTo(state);
  }

  @Test
  void streamStateSaysWhatItShouldLookLike() {
    assertThatThrownBy(() -> StreamState.parse("{\"batch\":3}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "stream state must look like {\"version\":1,\"runId\":\"run\",\"timeline\":0,\"batch\":0,"
                + "\"firstIndex\":0}: '{\"batch\":3}'");
    assertThatThrownBy(
            () -> StreamState.parse(StreamState.start("r").toJson().replace("n\":1", "n\":2")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("stream state must be version 1: 2");
    assertThatThrownBy(() -> new StreamState("r", 0, -1, 0))
        .hasMessage("timeline, batch and firstIndex must not be negative: 0, -1, 0");
    assertThatThrownBy(() -> new StreamState("r\"", 0, 0, 0))
        .hasMessage("runId must be letters, digits, '.', '_' or '-': 'r\"'");
  }

  @Test
  void tokensAreUnsignedAndLittleEndian() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {9, 1, 0, 0, 1, (byte) 0xFF, (byte) 0xFF, 0, 0});
    bytes.position(1);
    assertThat(Tokens.decode(bytes, 2)).containsExactly(1, 256, 65_535, 0);
    assertThat(Tokens.decode(bytes, 4)).containsExactly(0x01_00_00_01, 65_535);
    assertThat(bytes.position()).isEqualTo(1);
  }

  @Test
  void tokensAndLossMasksFollowTheSharedVectors() throws IOException {
    JsonNode vectors =
        new ObjectMapper()
            .readTree(Path.of("../../schemas/src/test/resources/vectors/tokens.json").toFile());
    for (JsonNode vector : vectors.get("tokens")) {
      byte[] packed = HexFormat.of().parseHex(vector.get("bytes").textValue());
      int[] expected = new ObjectMapper().convertValue(vector.get("tokens"), int[].class);
      assertThat(Tokens.decode(ByteBuffer.wrap(packed), vector.get("width").intValue()))
          .containsExactly(expected);
    }
    for (JsonNode vector : vectors.get("lossMasks")) {
      TokenBlock block = TestingStream.block("java", 0);
      block.setTokens(ByteBuffer.allocate(2 * (vector.get("labels").intValue() + 1)));
      block.setLossMask(
          new ObjectMapper().convertValue(vector.get("runs"), new TypeReference<>() {}));
      assertThat(Tokens.trained(block))
          .containsExactly(new ObjectMapper().convertValue(vector.get("trained"), boolean[].class));
    }
  }

  @Test
  void tokensRefuseWhatIsNotWhole() {
    assertThatThrownBy(() -> Tokens.decode(ByteBuffer.allocate(6), 4))
        .hasMessage("6 bytes are not whole tokens of 4 bytes");
    assertThatThrownBy(() -> Tokens.decode(ByteBuffer.allocate(6), 3))
        .hasMessage("token width must be 2 or 4 bytes: 3");
    assertThatThrownBy(() -> Tokens.decode(ByteBuffer.wrap(new byte[] {0, 0, 0, -128}), 4))
        .hasMessage("token id must be below 2^31: 2147483648");
  }

  @Test
  void lossMaskIsRunLengthsTrainedFirst() {
    TokenBlock block = TestingStream.block("java", 0);
    assertThat(Tokens.trained(block)).containsExactly(true, true, true, true);
    block.setLossMask(List.of(1, 2, 1));
    assertThat(Tokens.trained(block)).containsExactly(true, false, false, true);
  }

  @Test
  void scheduleSumsTheSizesOfTheBatchesBefore() {
    BatchSchedule schedule = BatchSchedule.of(stream.run().spec(), 0, 0);
    assertThat(schedule.firstIndex(1)).isZero();
    assertThat(schedule.firstIndex(2)).isEqualTo(5);
    assertThat(schedule.firstIndex(3)).isEqualTo(10);
    assertThat(schedule.firstIndex(4)).isEqualTo(17);
    assertThat(schedule.firstIndex(14)).isEqualTo(87);
  }

  @Test
  void optionsNameTheKeyAndTheValue() {
    assertThatThrownBy(() -> StreamOptions.defaults().withGapTimeout(Duration.ZERO))
        .hasMessage("gapTimeout must be positive: PT0S");
    assertThatThrownBy(() -> StreamOptions.defaults().withBufferBytes(-1))
        .hasMessage("bufferBytes must not be negative: -1");
    assertThatThrownBy(() -> new Reporter(-1, 1, 0))
        .hasMessage("timeline must not be negative: -1");
  }
}
