package io.sluice.cli.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.control.config.ConfigFile;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.Ledger;
import io.sluice.schema.LedgerCounts;
import io.sluice.schema.Supply;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerViewTest {
  @Test
  void saysOfEachDomainWhatCameAndWhereItWent() {
    LedgerCounts documents =
        LedgerCounts.newBuilder()
            .setIn(9)
            .setBlocks(5)
            .setHeldOut(1)
            .setBuffered(2)
            .setDeadLetters(1)
            .build();
    LedgerCounts tokens =
        LedgerCounts.newBuilder()
            .setIn(90)
            .setBlocks(60)
            .setPadding(4)
            .setHeldOut(6)
            .setBuffered(20)
            .build();
    DatasetSpec spec =
        DatasetFile.resolve(
            ConfigFile.parse(
                "d.yaml",
                "dataset: d\ndomains: [code, prose, old, theirs]\nsequence-length: 8\nstore: file:///s\n"
                    + "sources: [{path: /a.npy, in-place: true, domain: theirs}]\n"),
            "d.yaml");

    LedgerView view =
        LedgerView.of(
            spec,
            Map.of(
                "code",
                supply(new Ledger(documents, tokens)),
                "old",
                supply(null),
                "theirs",
                supply(null)));

    assertThat(view.lines())
        .containsExactly(
            "# in: what this dataset took from the corpora so far, the sum of the others; tokens with"
                + " the padding that blocks were given",
            "# deadLetters: of preparing; what ingest refused is in no corpus: 'sluice domain list'"
                + " counts both",
            "ledger:",
            "  code:",
            "    documents: {in: 9, blocks: 5, padding: 0, heldOut: 1, buffered: 2, duplicates: 0,"
                + " forgotten: 0, deadLetters: 1}",
            "    tokens: {in: 90, blocks: 60, padding: 4, heldOut: 6, buffered: 20, duplicates: 0,"
                + " forgotten: 0, deadLetters: 0}",
            "  prose:",
            "    documents: {in: 0, blocks: 0, padding: 0, heldOut: 0, buffered: 0, duplicates: 0,"
                + " forgotten: 0, deadLetters: 0}",
            "    tokens: {in: 0, blocks: 0, padding: 0, heldOut: 0, buffered: 0, duplicates: 0,"
                + " forgotten: 0, deadLetters: 0}",
            "  old: not counted from its beginning",
            "  theirs: in place, nothing was taken");
    assertThat(view.domains().keySet())
        .containsExactlyElementsOf(List.of("code", "prose", "old", "theirs"));
  }

  private static Supply supply(@Nullable Ledger ledger) {
    return Supply.newBuilder()
        .setDataset("d")
        .setFingerprint(1)
        .setDomain("any")
        .setBlocks(5)
        .setEvalBlocks(1)
        .setTrainedTokens(60)
        .setDocuments(9)
        .setEnded(false)
        .setLedger(ledger)
        .build();
  }
}
