package io.sluice.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.config.ConfigFile;
import io.sluice.schema.DatasetSource;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShuffleViewTest {
  private static final DatasetSpec SPEC =
      DatasetFile.resolve(
          ConfigFile.parse(
              "d.yaml",
              "dataset: d\ndomains: [code, prose]\nshuffle-buffer: 1\nsequence-length: 8\n"),
          "d.yaml");

  @Test
  void saysOfTheDomainWithTheMostTrainingDocuments() {
    LedgerCounts counts =
        LedgerCounts.newBuilder().setIn(1_300).setHeldOut(200).setDeadLetters(100).build();

    ShuffleView view =
        ShuffleView.of(
                SPEC,
                Map.of(
                    "code", supply(900, null), "prose", supply(1_200, new Ledger(counts, counts))))
            .orElseThrow();

    assertThat(view.lines())
        .containsExactly(
            "shuffle: # beside what a shuffle of all documents at once is expected to give",
            "  domain: prose # with the most documents",
            "  documents: 1000",
            "  neighbour-distance: {here: 1.00, global: 334}",
            "  pairs-kept: {here: 1.00, global: 0.00100}",
            "  source-variance: {here: 0.0900, global: 0.00892}");
    assertThat(view.report()).containsEntry("documents", 1_000).containsEntry("domain", "prose");
  }

  @Test
  void saysNothingOfADatasetWithoutDocuments() {
    assertThat(ShuffleView.of(SPEC, Map.of())).isEmpty();
    assertThat(ShuffleView.of(SPEC, Map.of("code", supply(1, null)))).isEmpty();
  }

  @Test
  void saysNothingOfDomainsInPlace() {
    DatasetSpec spec =
        DatasetSpec.newBuilder(SPEC)
            .setSources(
                List.of(
                    DatasetSource.newBuilder()
                        .setPath("/p.npy")
                        .setInPlace(true)
                        .setDomain("prose")
                        .build()))
            .build();

    assertThat(ShuffleView.of(spec, Map.of("prose", supply(2_000, null)))).isEmpty();
    assertThat(
            ShuffleView.of(spec, Map.of("prose", supply(2_000, null), "code", supply(1_000, null))))
        .get()
        .extracting(ShuffleView::domain)
        .isEqualTo("code");
  }

  private static Supply supply(long documents, @Nullable Ledger ledger) {
    return Supply.newBuilder()
        .setDataset("d")
        .setFingerprint(1)
        .setDomain("any")
        .setBlocks(5)
        .setEvalBlocks(1)
        .setTrainedTokens(60)
        .setDocuments(documents)
        .setEnded(false)
        .setLedger(ledger)
        .build();
  }
}
