package io.sluice.schema.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.schema.DocumentMask;
import io.sluice.schema.RunSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which sets a run masks from which batches on. */
final class DocumentMasksTest {
  private static final String A = "a".repeat(64);
  private static final String B = "b".repeat(64);
  private static final String C = "c".repeat(64);

  @Test
  void aSetIsMaskedFromItsBatchOn() {
    RunSpec spec = spec(mask(3, A), mask(3, B), mask(7, C));
    DocumentMasks.require(spec);
    assertThat(DocumentMasks.at(spec, 2)).isEmpty();
    assertThat(DocumentMasks.at(spec, 3)).containsExactlyInAnyOrder(A, B);
    assertThat(DocumentMasks.at(spec, 7)).containsExactlyInAnyOrder(A, B, C);
    assertThat(DocumentMasks.bySet(spec)).isEqualTo(Map.of(A, 3L, B, 3L, C, 7L));
  }

  @Test
  void aMaskWithoutABatchBeginsBehindWhatIsGranted() {
    RunSpec asked = spec(mask(0, B), mask(3, A), mask(90, C));
    assertThat(DocumentMasks.resolved(asked, 40).getMasks())
        .containsExactly(mask(3, A), mask(41, B), mask(90, C));
    assertThat(DocumentMasks.resolved(spec(mask(3, A)), 40)).isEqualTo(spec(mask(3, A)));
  }

  @Test
  void aRewindKeepsWhatIsMasked() {
    List<DocumentMask> now = List.of(mask(3, A), mask(41, B), mask(90, C));
    assertThat(DocumentMasks.rewound(spec(mask(3, A)), now, 20, 40).getMasks())
        .containsExactly(mask(3, A), mask(21, B), mask(90, C));
    assertThat(DocumentMasks.rewound(spec(), now, 0, 40).getMasks())
        .containsExactly(mask(1, A), mask(1, B), mask(90, C));
    assertThat(DocumentMasks.rewound(spec(mask(3, A)), now, 20, 100).getMasks())
        .containsExactly(mask(3, A), mask(21, B), mask(21, C));
  }

  @Test
  void masksThatAreNoneAreRefused() {
    assertRefused("a mask's set must be 64 hexadecimal digits: 'ab'", mask(1, "ab"));
    assertRefused(
        "a mask's set must be 64 hexadecimal digits: '" + "A".repeat(64) + "'",
        mask(1, "A".repeat(64)));
    assertRefused("a set must be masked once: " + A, mask(1, A), mask(2, A));
    assertRefused("the mask of set " + A + " must begin at batch 1 at least: 0", mask(0, A));
    assertRefused(
        "the mask of set " + B + " must begin at batch 5 at least: 4", mask(5, A), mask(4, B));
    DocumentMask empty = mask(1, A);
    empty.setDocuments(0);
    assertRefused("documents of set " + A + " must be in [1, 50000]: 0", empty);
    DocumentMask long201 = mask(1, A);
    long201.setWhy("x".repeat(201));
    assertThatThrownBy(() -> DocumentMasks.require(spec(long201)))
        .hasMessageStartingWith("what a mask says must have 0 to 200 characters: 201");
    List<DocumentMask> many = new ArrayList<>();
    for (int i = 0; i < 1025; i++) {
      many.add(mask(1, "%064x".formatted(i)));
    }
    assertRefused("masks must be at most 1024: 1025", many.toArray(DocumentMask[]::new));
    RunSpec unknown = RunSpec.newBuilder(spec()).setDocumentIds("both").build();
    assertThatThrownBy(() -> DocumentMasks.require(unknown))
        .hasMessage("document-ids must be names or hashes: 'both'");
  }

  private static void assertRefused(String message, DocumentMask... masks) {
    assertThatThrownBy(() -> DocumentMasks.require(spec(masks)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  private static DocumentMask mask(long from, String set) {
    return new DocumentMask(from, set, 1, "a takedown");
  }

  private static RunSpec spec(DocumentMask... masks) {
    return RunSpec.newBuilder()
        .setRun("r")
        .setDataset("d")
        .setFingerprint(1)
        .setTokenizer("bytes")
        .setVocabulary(259)
        .setSequenceLength(4)
        .setDomains(List.of("java"))
        .setBatchSizes(List.of())
        .setSeed(1)
        .setInitialWeights(List.of(1L << 40))
        .setPolicy("static")
        .setUpdateEvery(0)
        .setEpochs(List.of(1))
        .setMasks(List.of(masks))
        .build();
  }
}
