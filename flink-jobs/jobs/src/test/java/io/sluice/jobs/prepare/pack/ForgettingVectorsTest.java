package io.sluice.jobs.prepare.pack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.jobs.prepare.TestingDatasets;
import io.sluice.jobs.prepare.dataset.HeldOutRule;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.Forgettings.Forgetting;
import io.sluice.jobs.prepare.record.DomainEvent.CorpusEnded;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.TokenBlock;
import io.sluice.schema.Topics;
import io.sluice.schema.WireCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks of documents some of which are forgotten, as another program makes them. */
final class ForgettingVectorsTest {
  static List<JsonNode> forgotten() throws IOException {
    return DatasetVectorsTest.vectors("forgotten");
  }

  @ParameterizedTest
  @MethodSource
  void forgotten(JsonNode vector) {
    DatasetSpec spec = spec(vector);
    HeldOutRule rule = new HeldOutRule(spec.getHeldOut(), spec.getHeldOutRule());
    Decisions decisions = Decisions.none();
    vector.get("releases").forEach(count -> decisions.releases().add(count.longValue()));
    for (JsonNode each : vector.get("forgotten")) {
      List<String> ids = texts(each.get("ids"));
      decisions
          .forgotten()
          .add(new Forgetting(each.get("steps").longValue(), TestingDatasets.keys("java", ids)));
    }
    List<OutputRecord> output = new ArrayList<>();
    DomainPacking packing =
        new DomainPacking(
            spec,
            Topics.standard(),
            "java",
            new TestingSlots(),
            CommittedSupply.NONE,
            decisions,
            () -> 0,
            output::add);
    for (JsonNode each : vector.get("documents")) {
      String id = each.get("id").textValue();
      packing.accept(TestingDatasets.document("java", id, each.get("text").textValue(), rule));
    }
    packing.accept(new CorpusEnded("java"));
    while (packing.draining()) {
      packing.draw(1);
    }

    assertSame(blocks(output, "blocks"), vector.get("blocks"));
    assertSame(blocks(output, "eval"), vector.get("heldOutBlocks"));
  }

  private static DatasetSpec spec(JsonNode vector) {
    return DatasetSpec.newBuilder(TestingDatasets.dataset(8, 1, 0))
        .setSequenceLength(vector.get("sequenceLength").intValue())
        .setShuffleBuffer(vector.get("shuffleBuffer").intValue())
        .setHeldOut(vector.get("heldOut").doubleValue())
        .setHeldOutTokens(vector.get("heldOutTokens").intValue())
        .setHeldOutRule(2)
        .setPacking(vector.get("packing").textValue())
        .setPackingWindow(vector.get("packingWindow").intValue())
        .setPadDocumentsTo(vector.get("padDocumentsTo").intValue())
        .build();
  }

  private static List<TokenBlock> blocks(List<OutputRecord> output, String kind) {
    return output.stream()
        .filter(message -> message.topic().contains("." + kind + "."))
        .map(message -> WireCodec.decode(message.value()))
        .filter(TokenBlock.class::isInstance)
        .map(TokenBlock.class::cast)
        .toList();
  }

  private static void assertSame(List<TokenBlock> blocks, JsonNode expected) {
    assertThat(blocks).hasSameSizeAs(expected);
    for (int number = 0; number < blocks.size(); number++) {
      TokenBlock block = blocks.get(number);
      JsonNode wanted = expected.get(number);
      assertThat(HexFormat.of().formatHex(block.getTokens().array()))
          .isEqualTo(wanted.get("tokens").textValue());
      assertThat(block.getDocumentIds()).isEqualTo(texts(wanted.get("documentIds")));
      assertThat(block.getDocumentLengths())
          .isEqualTo(DatasetVectorsTest.list(wanted.get("documentLengths"), JsonNode::intValue));
      JsonNode mask = wanted.get("lossMask");
      assertThat(block.getLossMask())
          .isEqualTo(mask.isNull() ? null : DatasetVectorsTest.list(mask, JsonNode::intValue));
    }
  }

  private static List<String> texts(JsonNode of) {
    return DatasetVectorsTest.list(of, JsonNode::textValue);
  }
}
