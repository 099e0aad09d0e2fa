package io.sluice.client.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.client.block.BlockReader;
import io.sluice.client.block.MaskedDocuments;
import io.sluice.client.block.Sequence;
import io.sluice.client.block.Tokens;
import io.sluice.client.error.StreamCorruptException;
import io.sluice.client.error.StreamStalledException;
import io.sluice.client.run.RunInfo;
import io.sluice.client.run.TrainerRank;
import io.sluice.schema.DocumentMask;
import io.sluice.schema.RowLength;
import io.sluice.schema.RunSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.WireCodec;
import io.sluice.schema.set.DocumentHashes;
import io.sluice.schema.set.DocumentKey;
import io.sluice.schema.set.IdHash;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run's sequences, of which no label of some documents is trained from a batch on. */
final class MasksTest {
  private static final Duration WAIT = Duration.ofMinutes(1);
  private static final int[] SIZES = {8, 8, 8, 8, 8, 8};
  private static final DocumentHashes JAVA_A = set("java", "a");

  private final TestingStream written = new TestingStream(4, SIZES);
  private final TestingConsumer<ByteBuffer> topic = TestingConsumer.ofViews(7);
  private final TestingSets sets = new TestingSets();

  MasksTest() {
    topic.create(TestingReaders.STREAM, 4);
    written.sequences().forEach(each -> topic.append(TestingReaders.STREAM, each));
  }

  private static DocumentHashes set(String domain, String... ids) {
    SortedMap<String, Set<DocumentKey>> keys = new TreeMap<>();
    Set<DocumentKey> of = new TreeSet<>();
    for (String id : ids) {
      of.add(DocumentKey.of(domain, id));
    }
    keys.put(domain, of);
    return DocumentHashes.of(keys).get(0);
  }

  static Stream<JsonNode> vectors() throws Exception {
    Path file = Path.of("../../schemas/src/test/resources/vectors/masks.json");
    List<JsonNode> cases = new ArrayList<>();
    new ObjectMapper().readTree(file.toFile()).get("masks").forEach(cases::add);
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void labelsFollowTheSharedVectors(JsonNode vector) {
    TokenBlock block = block(vector);
    List<DocumentHashes> masked = new ArrayList<>();
    for (JsonNode each : vector.get("masked")) {
      masked.add(set(each.get("domain").textValue(), each.get("id").textValue()));
    }
    int labels = block.getTokens().remaining() / 2 - 1;
    RunSpec spec =
        RunSpec.newBuilder(written.run().spec())
            .setSequenceLength(labels)
            .setDocumentIds(vector.get("ids").textValue())
            .build();
    BlockReader reader = new BlockReader(new RunInfo("r-1", spec));
    ByteBuffer encoded = ByteBuffer.wrap(WireCodec.encode(block));
    Sequence whole =
        new Sequence(written.sequences().get(0).header(), encoded, reader.inspect(encoded), reader);
    boolean[] trained = JSON.convertValue(vector.get("trained"), boolean[].class);
    Sequence found = whole.without(MaskedDocuments.of(masked, spec));
    assertThat(found.trained()).containsExactly(trained);
    assertThat(Tokens.trained(found.block())).containsExactly(trained);
    assertThat(found.block().getTrainedTokens())
        .isEqualTo((int) IntStream.range(0, labels).filter(i -> trained[i]).count());
    assertThat(found.packedTokens()).isEqualTo(whole.packedTokens());
    assertThat(found.encodedBlock()).isEqualTo(whole.encodedBlock());
    List<Sequence> rows = found.rows(1);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i).trained()).containsExactly(trained[i]);
      assertThat(Tokens.trained(rows.get(i).block())).containsExactly(trained[i]);
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private static TokenBlock block(JsonNode vector) {
    int[] lengths = JSON.convertValue(vector.get("documentLengths"), int[].class);
    int[] mask = JSON.convertValue(vector.get("lossMask"), int[].class);
    TokenBlock block = TestingStream.block(vector.get("domain").textValue(), 0);
    block.setTokens(ByteBuffer.allocate(2 * Arrays.stream(lengths).sum()));
    block.setDocumentLengths(Arrays.stream(lengths).boxed().toList());
    block.setDocumentIds(List.of(JSON.convertValue(vector.get("documentIds"), String[].class)));
    block.setLossMask(mask == null ? null : Arrays.stream(mask).boxed().toList());
    boolean[] trained = Tokens.trained(block);
    block.setTrainedTokens(
        (int) IntStream.range(0, trained.length).filter(i -> trained[i]).count());
    return block;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void documentsAreMaskedFromExactlyTheirBatchOnForEachRank(int world) {
    sets.add(JAVA_A);
    RunInfo run = masked(new DocumentMask(4L, JAVA_A.name(), 1, "a takedown"));
    for (int rank = 0; rank < world; rank++) {
      try (StreamReader reader = open(run, new TrainerRank(rank, world, 0))) {
        for (int b = 1; b <= SIZES.length; b++) {
          assertMasked(reader.next(WAIT), b >= 4);
        }
        reader.seekToBatch(3);
        assertMasked(reader.next(WAIT), false);
        assertMasked(reader.next(WAIT), true);
      }
    }
    assertThat(sets.looks()).isEqualTo(2 * world); // again after it was not masked
  }

  /** Document a has the first two of five tokens of each block: labels 0 and 1. */
  private static void assertMasked(GlobalBatch batch, boolean masked) {
    for (Sequence row : batch.sequences()) {
      boolean gone = masked && row.domain().equals("java");
      assertThat(row.trained()).containsExactly(!gone, !gone, true, true);
    }
  }

  @Test
  void rowsOfMaskedSequencesAreMaskedAlike() {
    sets.add(JAVA_A);
    RunSpec spec =
        RunSpec.newBuilder(written.run().spec())
            .setRowLengths(List.of(new RowLength(1L, 2)))
            .setMasks(List.of(new DocumentMask(1L, JAVA_A.name(), 1, "")))
            .build();
    try (StreamReader reader = open(new RunInfo("r-1", spec), TrainerRank.single())) {
      for (Sequence row : reader.next(WAIT).sequences()) {
        List<Sequence> rows = row.rows(2);
        boolean gone = row.domain().equals("java");
        assertThat(rows.get(0).trained()).containsExactly(!gone, !gone);
        assertThat(rows.get(1).trained()).containsExactly(true, true);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"names", "hashes"})
  void documentsAreMatchedWithWhatTheRunSaysThatItsBlocksHave(String documentIds) {
    TestingConsumer<ByteBuffer> hashed = TestingConsumer.ofViews(7);
    hashed.create(TestingReaders.STREAM, 4);
    for (TestingStream.Sequence each : written.sequences()) {
      TokenBlock block = WireCodec.decode(TokenBlock.class, each.value());
      block.setDocumentIds(
          block.getDocumentIds().stream().map(id -> IdHash.of(block.getDomain(), id)).toList());
      hashed.append(
          TestingReaders.STREAM,
          new TestingStream.Sequence(each.partition(), each.header(), WireCodec.encode(block)));
    }
    sets.add(JAVA_A);
    RunSpec spec =
        RunSpec.newBuilder(masked(new DocumentMask(2L, JAVA_A.name(), 1, "")).spec())
            .setDocumentIds(documentIds)
            .build();
    try (StreamReader reader =
        open(new RunInfo("r-1", spec), TrainerRank.single(), hashed.again())) {
      assertMasked(reader.next(WAIT), false);
      assertMasked(reader.next(WAIT), documentIds.equals("hashes"));
    }
  }

  @Test
  void noBatchIsHandedOutBeforeItsSetIsThere() {
    RunInfo run = masked(new DocumentMask(3L, JAVA_A.name(), 1, ""));
    try (StreamReader reader = open(run, TrainerRank.single())) {
      reader.next(WAIT);
      reader.next(WAIT);
      assertThatThrownBy(() -> reader.next(Duration.ofSeconds(5)))
          .isInstanceOf(StreamStalledException.class)
          .hasMessageContaining(
              "batch 3 waits for the documents that run r masks in it: the testing topic has no set"
                  + " whose content has the digest "
                  + JAVA_A.name());
      sets.add(set("java", "b"));
      assertThatThrownBy(() -> reader.next(Duration.ofSeconds(5)))
          .isInstanceOf(StreamStalledException.class);
      sets.add(JAVA_A);
      assertMasked(reader.next(WAIT), true);
    }
  }

  @Test
  void aSetThatStaysAwayEndsTheReading() {
    RunInfo run = masked(new DocumentMask(1L, JAVA_A.name(), 1, ""));
    try (StreamReader reader = open(run, TrainerRank.single())) {
      assertThatThrownBy(() -> reader.next(Duration.ofHours(1)))
          .isInstanceOf(StreamCorruptException.class)
          .hasMessageEndingWith("the digest " + JAVA_A.name() + ", for 30 s");
    }
  }

  @Test
  void aLogWithMasksThatAreNoneIsBroken() {
    assertThatThrownBy(() -> open(masked(new DocumentMask(0L, "x", 1, "")), TrainerRank.single()))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("control log of run r-1: a mask's set must be 64 hexadecimal digits: 'x'");
    RunSpec unknown = RunSpec.newBuilder(written.run().spec()).setDocumentIds("both").build();
    assertThatThrownBy(() -> open(new RunInfo("r-1", unknown), TrainerRank.single()))
        .isInstanceOf(StreamCorruptException.class)
        .hasMessage("control log of run r-1: document-ids must be names or hashes: 'both'");
  }

  private RunInfo masked(DocumentMask... masks) {
    RunSpec spec = written.run().spec();
    return new RunInfo("r-1", RunSpec.newBuilder(spec).setMasks(List.of(masks)).build());
  }

  private StreamReader open(RunInfo run, TrainerRank rank) {
    return open(run, rank, topic.again());
  }

  private StreamReader open(RunInfo run, TrainerRank rank, TestingConsumer<ByteBuffer> stream) {
    StreamOptions options =
        StreamOptions.defaults()
            .withRank(rank)
            .withGapTimeout(Duration.ofSeconds(30))
            .withStatusInterval(Duration.ofMillis(500));
    return TestingReaders.open(
        run,
        TestingReaders.STREAM,
        stream,
        TestingReaders.log(List.of(TestingLog.started(run))),
        sets,
        options);
  }
}
