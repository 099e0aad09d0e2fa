package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.DatasetSettings;
import io.sluice.jobs.prepare.dataset.DatasetSpecs;
import io.sluice.jobs.prepare.dataset.FimSettings;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.dataset.HeldOutSettings;
import io.sluice.jobs.prepare.dataset.PackingSettings;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.dataset.TokenSettings;
import io.sluice.jobs.prepare.shuffle.Shuffle;
import io.sluice.jobs.prepare.tokenizer.Tokenizers;
import io.sluice.schema.BlockLineage;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.set.IdHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How documents become blocks, by the examples of docs/protocol.md. */
final class DatasetVectorsTest {
  static List<JsonNode> vectors(String name) throws IOException {
    Path file = Path.of("../../schemas/src/test/resources/vectors/dataset.json");
    return list(new ObjectMapper().readTree(file.toFile()).get(name), Function.identity());
  }

  static <T> List<T> list(JsonNode array, Function<JsonNode, T> item) {
    return StreamSupport.stream(array.spliterator(), false).map(item).toList();
  }

  static List<JsonNode> fingerprints() throws IOException {
    return vectors("fingerprints");
  }

  static List<JsonNode> heldOut() throws IOException {
    return vectors("heldOut");
  }

  static List<JsonNode> heldOutMinimum() throws IOException {
    return vectors("heldOutMinimum");
  }

  static List<JsonNode> shuffle() throws IOException {
    return vectors("shuffle");
  }

  static List<JsonNode> packing() throws IOException {
    return vectors("packing");
  }

  static List<JsonNode> idHashes() throws IOException {
    return vectors("idHashes");
  }

  static List<JsonNode> lineage() throws IOException {
    return vectors("lineage");
  }

  @ParameterizedTest
  @MethodSource
  void idHashes(JsonNode vector) {
    String hash = IdHash.of(vector.get("domain").textValue(), vector.get("id").textValue());
    assertThat(hash).isEqualTo(vector.get("hash").textValue());
    assertThat(IdHash.all(ByteBuffer.wrap(IdHash.bytes(hash)))).containsExactly(hash);
  }

  @ParameterizedTest
  @MethodSource
  void lineage(JsonNode vector) {
    List<TokenBlock> blocks = new ArrayList<>();
    List<BlockLineage> lineage = new ArrayList<>();
    BlockPacker packer =
        new BlockPacker(spec(vector), vector.get("domain").textValue(), lineage::add);
    pack(packer, vector, blocks);
    assertThat(lineage).hasSameSizeAs(blocks).hasSameSizeAs(vector.get("blocks"));
    for (int i = 0; i < blocks.size(); i++) {
      JsonNode expected = vector.get("blocks").get(i);
      assertThat(blocks.get(i).getDocumentIds())
          .isEqualTo(list(expected.get("documentIds"), JsonNode::textValue));
      JsonNode said = expected.get("lineage");
      HexFormat hex = HexFormat.of();
      assertThat(lineage.get(i))
          .isEqualTo(
              BlockLineage.newBuilder()
                  .setFingerprint(blocks.get(i).getFingerprint())
                  .setDomain("java")
                  .setHeldOut(false)
                  .setLane(expected.get("lane").intValue())
                  .setOrdinal(expected.get("ordinal").longValue())
                  .setHashes(ByteBuffer.wrap(hex.parseHex(said.get("hashes").textValue())))
                  .setContents(ByteBuffer.wrap(hex.parseHex(said.get("contents").textValue())))
                  .setStarts(list(said.get("starts"), JsonNode::intValue))
                  .setTokens(list(said.get("tokens"), JsonNode::intValue))
                  .setNames(list(said.get("names"), JsonNode::textValue))
                  .setWhole(said.get("whole").booleanValue())
                  .build());
    }
  }

  @ParameterizedTest
  @MethodSource
  void fingerprints(JsonNode vector) {
    DatasetSpec spec =
        DatasetSpecs.resolve(
            new DatasetSettings(
                vector.path("name").asText("demo"),
                List.of("java"),
                vector.get("lanes").intValue(),
                new TokenSettings(vector.get("tokenizer").textValue()),
                new PackingSettings(
                    vector.get("sequenceLength").intValue(),
                    vector.path("packing").asText("concat"),
                    vector.path("packingWindow").intValue(),
                    vector.path("padDocumentsTo").asInt(1),
                    vector.path("documentIds").asText("names")),
                new ShuffleSettings(
                    vector.get("shuffleBuffer").intValue(),
                    Duration.ofMillis(vector.path("shuffleWaitMillis").longValue()),
                    vector.get("seed").longValue()),
                new HeldOutSettings(
                    vector.get("heldOut").doubleValue(),
                    vector.path("heldOutTokens").intValue(),
                    vector.path("heldOutRule").asInt(HeldOutRule.OF_TEXT)),
                new FimSettings(
                    vector.path("fimRate").doubleValue(),
                    vector.path("fimSpm").doubleValue(),
                    list(vector.path("fimTokens"), JsonNode::intValue))));
    assertThat(Tokenizers.forName(spec.getTokenizer()).identity())
        .isEqualTo(vector.get("tokenizerIdentity").textValue());
    assertThat(spec.getVocabulary()).isEqualTo(vector.get("vocabulary").intValue());
    assertThat(spec.getTokenWidth()).isEqualTo(vector.get("tokenWidth").intValue());
    assertThat(spec.getEndOfDocument()).isEqualTo(vector.get("endOfDocument").intValue());
    assertThat(spec.getPadding()).isEqualTo(vector.get("padding").intValue());
    assertThat(Long.toHexString(spec.getFingerprint()))
        .isEqualTo(vector.get("fingerprint").textValue());
  }

  @ParameterizedTest
  @MethodSource
  void heldOut(JsonNode vector) {
    String text = vector.get("text").textValue();
    for (int i = 0; i < vector.get("shares").size(); i++) {
      double share = vector.get("shares").get(i).doubleValue();
      HeldOutRule rule = new HeldOutRule(share, vector.path("rule").asInt(HeldOutRule.OF_TEXT));
      assertThat(rule.isHeldOut(rule.hash(text)))
          .as("'%s' at %s", text, share)
          .isEqualTo(vector.get("heldOut").get(i).booleanValue());
    }
  }

  @ParameterizedTest
  @MethodSource
  void heldOutMinimum(JsonNode vector) {
    DatasetSpec spec =
        DatasetSpec.newBuilder(TestingDatasets.dataset(8, 1, 0))
            .setHeldOutTokens(vector.get("heldOutTokens").intValue())
            .build();
    HeldOutRule rule =
        new HeldOutRule(vector.get("share").doubleValue(), vector.get("rule").intValue());
    HeldOutMinimum minimum = new HeldOutMinimum(spec);
    assertThat(list(vector.get("texts"), JsonNode::textValue))
        .extracting(text -> minimum.takes(TestingDatasets.document("java", text, text, rule)))
        .isEqualTo(list(vector.get("heldOut"), JsonNode::booleanValue));
  }

  @ParameterizedTest
  @MethodSource
  void shuffle(JsonNode vector) {
    DatasetSpec spec =
        DatasetSpec.newBuilder(TestingDatasets.dataset(8, vector.get("capacity").intValue(), 0))
            .setSeed(vector.get("seed").longValue())
            .build();
    Shuffle buffer = Shuffle.of(spec, vector.get("domain").textValue(), new TestingSlots(), 0, 0);
    List<Integer> releases = list(vector.path("releases"), JsonNode::intValue);
    List<Integer> released = new ArrayList<>();
    for (int document = 0; document < vector.get("documents").intValue(); document++) {
      buffer.exchange(new byte[] {(byte) document}).ifPresent(out -> released.add((int) out[0]));
      if (releases.contains(document + 1)) {
        drain(buffer, released);
      }
    }
    drain(buffer, released);
    assertThat(released).isEqualTo(list(vector.get("released"), JsonNode::intValue));
  }

  private static void drain(Shuffle buffer, List<Integer> released) {
    for (Optional<byte[]> out = buffer.drain(); out.isPresent(); out = buffer.drain()) {
      released.add((int) out.get()[0]);
    }
  }

  @ParameterizedTest
  @MethodSource
  void packing(JsonNode vector) {
    DatasetSpec spec = spec(vector);
    BlockPacker packer = new BlockPacker(spec, "java", lineage -> {});
    List<TokenBlock> blocks = new ArrayList<>();
    pack(packer, vector, blocks);
    assertThat(blocks).hasSameSizeAs(vector.get("blocks"));
    for (int i = 0; i < blocks.size(); i++) {
      assertSame(blocks.get(i), vector.get("blocks").get(i));
    }
    assertThat(packer.trainedTokens()).isEqualTo(vector.get("trainedTokens").longValue());
    for (int lane = 0; lane < spec.getLanes(); lane++) {
      assertThat(packer.blocks(lane)).isEqualTo(vector.get("laneBlocks").get(lane).longValue());
    }
  }

  private static DatasetSpec spec(JsonNode vector) {
    return DatasetSpec.newBuilder(TestingDatasets.dataset(8, 1, 0))
        .setSequenceLength(vector.get("sequenceLength").intValue())
        .setLanes(vector.get("lanes").intValue())
        .setTokenWidth(vector.get("tokenWidth").intValue())
        .setEndOfDocument(vector.get("endOfDocument").intValue())
        .setPadding(vector.get("padding").intValue())
        .setPacking(vector.path("packing").asText("concat"))
        .setPackingWindow(vector.path("packingWindow").intValue())
        .setPadDocumentsTo(vector.path("padDocumentsTo").asInt(1))
        .setDocumentIds(vector.path("documentIds").asText("names"))
        .build();
  }

  private static void pack(BlockPacker packer, JsonNode vector, List<TokenBlock> blocks) {
    for (JsonNode document : vector.get("documents")) {
      byte[] tokens = packed(document.get("tokens"), vector.get("tokenWidth").intValue());
      int[] counted =
          list(document.path("counted"), JsonNode::intValue).stream().mapToInt(i -> i).toArray();
      String id = document.get("id").textValue();
      packer.append(id, ByteBuffer.wrap(tokens), counted, blocks::add);
    }
    packer.finish().forEach(blocks::add);
  }

  private static byte[] packed(JsonNode tokens, int width) {
    ByteBuffer out =
        ByteBuffer.allocate(tokens.size() * width + Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int end = 0;
    for (JsonNode token : tokens) {
      out.putInt(end, token.intValue());
      end += width;
    }
    return Arrays.copyOf(out.array(), end);
  }

  private static void assertSame(TokenBlock block, JsonNode expected) {
    assertThat(block.getLane()).isEqualTo(expected.get("lane").intValue());
    assertThat(block.getOrdinal()).isEqualTo(expected.get("ordinal").longValue());
    assertThat(HexFormat.of().formatHex(block.getTokens().array()))
        .isEqualTo(expected.get("tokens").textValue());
    assertThat(block.getDocumentLengths())
        .isEqualTo(list(expected.get("documentLengths"), JsonNode::intValue));
    assertThat(block.getDocumentIds())
        .isEqualTo(list(expected.get("documentIds"), JsonNode::textValue));
    assertThat(block.getTrainedTokens()).isEqualTo(expected.get("trainedTokens").intValue());
    assertThat(block.getLossMask()).isEqualTo(runs(expected.get("lossMask")));
  }

  private static @Nullable List<Integer> runs(JsonNode mask) {
    return mask.isNull() ? null : list(mask, JsonNode::intValue);
  }
}
