package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.BlockReader;
import io.sluice.client.block.BlockRows;
import io.sluice.client.block.PackedDocuments;
import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.StreamState;
import io.sluice.client.run.TrainerRank;
import io.sluice.client.wait.SupplyQuestion;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.run.RowLengths;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run's sequences, cut into rows that are shorter than its dataset's. */
final class RowsTest {
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int[] SIZES = {8, 8, 8, 8, 8, 8};

  private final TestingStream written = new TestingStream(4, SIZES);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(7);

  RowsTest() {
    topic.create(TestingReaders.STREAM, 4);
    written.sequences().forEach(each -> topic.append(TestingReaders.STREAM, each));
  }

  static Stream<JsonNode> vectors() throws Exception {
    Path file = Path.of("../../schemas/src/test/resources/vectors/rows.json");
    List<JsonNode> cases = new ArrayList<>();
    JSON.readTree(file.toFile()).get("rows").forEach(cases::add);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void rowsFollowTheSharedVectors(JsonNode vector) {
    TokenBlock block = block(vector);
    int labels = vector.get("labels").intValue();
    BlockReader reader = new BlockReader(run(block));
    ByteBuffer encoded = ByteBuffer.wrap(WireCodec.encode(block));
    Sequence whole =
        new Sequence(written.sequences().get(0).header(), encoded, reader.inspect(encoded), reader);
    List<TokenBlock> blocks = BlockRows.cut(block, labels);
    List<Sequence> rows = whole.rows(labels);
    int[][] positions = PackedDocuments.of(rows).positions();
    assertThat(rows).hasSameSizeAs(vector.get("rows")).hasSameSizeAs(blocks);
    for (int i = 0; i < rows.size(); i++) {
      JsonNode expected = vector.get("rows").get(i);
      boolean[] trained = read(expected, "trained", boolean[].class);
      Sequence row = rows.get(i);
      assertThat(Tokens.decode(row.packedTokens(), row.tokenWidth()))
          .containsExactly(read(expected, "tokens", int[].class));
      assertThat(row.documentLengths())
          .containsExactly(read(expected, "documentLengths", int[].class));
      assertThat(row.trained()).containsExactly(trained);
      assertThat(positions[i]).containsExactly(read(expected, "positions", int[].class));
      assertThat(row.index()).isEqualTo(whole.index());
      assertThat(row.encodedBlock()).isEqualTo(encoded.array());
      TokenBlock content = blocks.get(i);
      assertThat(row.block()).isEqualTo(content);
      assertThat(content.getDocumentIds())
          .containsExactly(read(expected, "documents", String[].class));
      assertThat(content.getTrainedTokens())
          .isEqualTo(
              (int) IntStream.range(0, trained.length).filter(label -> trained[label]).count());
      assertThat(Tokens.of(content)).containsExactly(read(expected, "tokens", int[].class));
      assertThat(Tokens.trained(content)).containsExactly(trained);
    }
  }

  private static <T> T read(JsonNode of, String field, Class<T> type) {
    return JSON.convertValue(of.get(field), type);
  }

  private static TokenBlock block(JsonNode vector) {
    int[] lengths = read(vector, "documentLengths", int[].class);
    int[] mask = read(vector, "lossMask", int[].class);
    TokenBlock block = TestingStream.block("java", 0);
    block.setTokenWidth(vector.get("width").intValue());
    block.setTokens(ByteBuffer.wrap(HexFormat.of().parseHex(vector.get("bytes").textValue())));
    block.setDocumentLengths(Arrays.stream(lengths).boxed().toList());
    block.setDocumentIds(
        IntStream.range(0, lengths.length).mapToObj(part -> "doc-" + part).toList());
    block.setLossMask(mask == null ? null : Arrays.stream(mask).boxed().toList());
    int labels = block.getTokens().remaining() / block.getTokenWidth() - 1;
    block.setTrainedTokens(
        (int) IntStream.range(0, labels).filter(i -> Tokens.trained(block)[i]).count());
    return block;
  }

  private RunInfo run(TokenBlock block) {
    int labels = block.getTokens().remaining() / block.getTokenWidth() - 1;
    RunSpec spec = RunSpec.newBuilder(written.run().spec()).setSequenceLength(labels).build();
    return new RunInfo("r-1", spec);
  }

  @Test
  void aSequenceIsNotCutWhereRowsDoNotFit() {
    TokenBlock block = TestingStream.block("java", 0);
    assertThat(BlockRows.cut(block, 4)).containsExactly(block);
    assertThatThrownBy(() -> BlockRows.cut(block, 3))
        .hasMessage("labels of a row must divide the 4 of its block: 3");
    assertThatThrownBy(() -> BlockRows.cut(block, 0))
        .hasMessage("labels of a row must divide the 4 of its block: 0");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void rowsAreAsLongAsTheirBatchHasThemAndRanksHaveEquallyMany(int world) {
    RunInfo run = staged(new RowLength(1L, 1), new RowLength(3L, 2), new RowLength(5L, 4));
    List<Loader> ranks = new ArrayList<>();
    try {
      for (int rank = 0; rank < world; rank++) {
        ranks.add(open(run, new TrainerRank(rank, world, 0)));
      }
      for (int b = 1; b <= SIZES.length; b++) {
        int labels = RowLengths.at(run.spec(), b);
        List<String> expected = new ArrayList<>();
        for (TestingStream.Sequence each : written.sequences().subList(8 * (b - 1), 8 * b)) {
          TokenBlock block = WireCodec.decode(TokenBlock.class, each.value());
          BlockRows.cut(block, labels)
              .forEach(row -> expected.add(each.index() + Arrays.toString(Tokens.of(row))));
        }
        List<String> found = new ArrayList<>();
        for (Loader rank : ranks) {
          GlobalBatch batch = rank.next(WAIT);
          assertThat(batch.size()).isEqualTo(8);
          assertThat(batch.sequences()).hasSize(8 * 4 / labels / world);
          batch
              .sequences()
              .forEach(
                  row ->
                      found.add(
                          row.index() + Arrays.toString(Tokens.decode(row.packedTokens(), 2))));
        }
        assertThat(found).isEqualTo(expected);
      }
    } finally {
      ranks.forEach(Loader::close);
    }
  }

  @Test
  void aStateWithinAStageGoesOnWithTheVeryNextRow() {
    RunInfo run = staged(new RowLength(3L, 2), new RowLength(6L, 1));
    for (int stopped = 0; stopped < SIZES.length; stopped++) {
      StreamState state;
      try (Loader stream = open(run, TrainerRank.single())) {
        for (int b = 0; b < stopped; b++) {
          stream.next(WAIT);
        }
        state = StreamState.parse(stream.state().toJson());
      }
      try (Loader stream = open(run, TrainerRank.single())) {
        stream.seek(state);
        GlobalBatch next = stream.next(WAIT);
        int labels = RowLengths.at(run.spec(), stopped + 1);
        assertThat(next.batch()).isEqualTo(stopped + 1);
        assertThat(next.sequences()).hasSize(8 * 4 / labels);
        assertThat(next.sequences().get(0).index()).isEqualTo(8L * stopped);
        assertThat(next.tokenBytes()).isEqualTo(2 * 8 * 4 / labels * (labels + 1));
      }
    }
  }

  @Test
  void aLogWithOtherRowsIsBroken() {
    assertBroken("must be in [1, 4] tokens and divide the dataset's 4: 3", new RowLength(1L, 3));
    assertBroken("must be in [1, 4] tokens and divide the dataset's 4: 0", new RowLength(1L, 0));
    assertBroken("must be in [1, 4] tokens and divide the dataset's 4: 8", new RowLength(1L, 8));
    assertBroken(
        "must begin after batch 0, where the length before begins: batch 0", new RowLength(0L, 2));
    assertBroken(
        "must begin after batch 5, where the length before begins: batch 5",
        new RowLength(5L, 2),
        new RowLength(5L, 4));
  }

  private void assertBroken(String rule, RowLength... lengths) {
    assertThatThrownBy(() -> open(staged(lengths), TrainerRank.single()))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("control log of run r-1: sequence-length " + rule);
  }

  private RunInfo staged(RowLength... lengths) {
    RunSpec spec = written.run().spec();
    return new RunInfo("r-1", RunSpec.newBuilder(spec).setRowLengths(List.of(lengths)).build());
  }

  private Loader open(RunInfo run, TrainerRank rank) {
    StreamOptions options =
        StreamOptions.defaults().withRank(rank).withStatusInterval(Duration.ofMillis(500));
    StreamReader reader =
        TestingReaders.open(
            run,
            TestingReaders.STREAM,
            topic.again(),
            TestingReaders.log(List.of(TestingLog.started(run))),
            options);
    Loader stream =
        new Loader(run, options, reader, Optional.empty(), new SupplyQuestion(Optional::empty));
    stream.seek(StreamState.start("r-1"));
    return stream;
  }
}
