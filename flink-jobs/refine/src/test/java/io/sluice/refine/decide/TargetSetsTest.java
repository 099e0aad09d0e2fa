package io.sluice.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.targets.TargetTwins;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.MemoryTwinTable;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.refine.twin.TestingTexts;
import io.sluice.refine.twin.Twins;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import io.sluice.schema.RefinedDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Target sets {@code gsm} and {@code law}, and {@code web} for training. */
final class TargetSetsTest {
  private static final SignatureScheme SCHEME = SignatureScheme.DEFAULT;
  private static final int GSM = 0;
  private static final int LAW = 1;
  private static final int WEB = 2;

  private final TestingDecisions decided = new TestingDecisions();
  private final TestingTexts texts = new TestingTexts(5);
  private final MemoryTwinTable targets = new MemoryTwinTable();
  private final MemoryTwinTable training = new MemoryTwinTable();
  private final long[] offsets = new long[3];
  private Refinery refinery = refinery(0.5, 1_000);

  @Test
  void noNearTwinOfATargetDocumentComesIntoTraining() {
    List<String[]> held = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      held.add(texts.words(150));
      accept(i % 2, held.get(i));
    }
    int planted = 0;
    for (String[] target : held) {
      for (int runs = 0; runs < 3; runs++) {
        String[] twin = texts.changed(target, runs, 2);
        if (TestingTexts.similarity(target, twin) >= 0.8) {
          planted++;
          accept(WEB, twin);
        }
      }
      accept(WEB, texts.words(150));
    }

    assertThat(planted).isGreaterThan(1_000);
    RefineProgress progress = refinery.progress();
    assertThat(progress.getCounts())
        .isEqualTo(Map.of("kept", 800L, "duplicate of a target", (long) planted));
    assertThat(progress.getRecords()).isEqualTo(800 + planted);
    assertThat(decided.dropped)
        .hasSize(planted)
        .allSatisfy(
            dropped -> {
              assertThat(dropped.getDomain()).isEqualTo("web");
              assertThat(dropped.getTwin()).matches("(gsm|law):\\d+");
              assertThat(dropped.getSimilarity()).isGreaterThanOrEqualTo(0.6);
            });
    assertThat(documents("web-out")).isEqualTo(400);
    for (String set : List.of("gsm", "law")) {
      assertThat(documents(set + "-steers") + documents(set + "-tests")).isEqualTo(200);
      assertThat(documents(set + "-tests")).isCloseTo(100, within(25L));
    }
  }

  @Test
  void whatIsLikeATargetDocumentIsOnItsSideOfItsOwnSet() {
    String[] first = texts.words(400);
    String[] second = texts.changed(first, 1, 60);
    for (int i = 0; i < 20; i++) {
      accept(GSM, texts.words(100));
    }
    decided.said.clear();

    accept(GSM, first);
    accept(GSM, first);
    accept(LAW, second);
    accept(LAW, texts.changed(second, 1, 10));
    accept(WEB, texts.changed(second, 1, 10));

    String side = decided.said.get(0).split(" ", -1)[0].substring("gsm-".length());
    assertThat(decided.said)
        .containsExactly(
            "gsm-" + side + " gsm20",
            "gsm-" + side + " gsm21",
            "law-" + side + " law0",
            "law-" + side + " law1");
    assertThat(decided.dropped).extracting(DroppedDocument::getTwin).hasSize(1);
    assertThat(targets.documents()).as("exact ones are known once").isEqualTo(23);
  }

  @Test
  void aTargetDocumentOfWhichOneIsInTrainingIsNoTargetAnyMore() {
    String[] trained = texts.words(200);
    accept(WEB, texts.words(200));
    accept(WEB, trained);

    accept(GSM, texts.changed(trained, 1, 2));
    accept(GSM, texts.words(200));
    accept(WEB, texts.changed(trained, 1, 2));

    assertThat(decided.dropped)
        .extracting(DroppedDocument::getDomain, DroppedDocument::getWhy, DroppedDocument::getTwin)
        .containsExactly(
            tuple("gsm", "target in training", "web:1"), tuple("web", "near duplicate", "web:1"));
    assertThat(refinery.progress().getCounts())
        .isEqualTo(Map.of("kept", 3L, "target in training", 1L, "near duplicate", 1L));
  }

  @Test
  void aTargetDocumentIsNoTargetEvenIfItIsLikeOneOfItsSet() {
    String[] first = texts.words(400);
    String[] between = texts.changed(first, 1, 60);
    String[] trained = texts.changed(between, 1, 20);
    accept(GSM, first);
    training(trained);

    accept(GSM, between);

    assertThat(decided.dropped)
        .extracting(DroppedDocument::getWhy)
        .containsExactly("target in training");
  }

  @Test
  void aSetOfOneDocumentIsOneSide() {
    refinery = refinery(1, 1_000);
    String[] only = texts.words(50);
    accept(GSM, only);
    accept(WEB, only);
    accept(WEB, texts.words(50));
    for (int input = 0; input < 3; input++) {
      refinery.accept(input, offsets[input]++, new Examined.End(), decided);
    }

    assertThat(decided.said).containsExactly("gsm-tests gsm0", "web-out web1");
    assertThat(decided.ends)
        .isEqualTo(
            Map.of(
                "web-out",
                1L,
                "gsm-steers",
                0L,
                "gsm-tests",
                1L,
                "law-steers",
                0L,
                "law-tests",
                0L));
  }

  @Test
  void targetDocumentsAreNotForgottenWithThoseOfTraining() {
    refinery = refinery(0.5, 3);
    String[] held = texts.words(80);
    accept(GSM, held);
    for (int i = 0; i < 20; i++) {
      accept(WEB, texts.words(80));
    }

    accept(WEB, held);

    assertThat(decided.dropped)
        .containsExactly(
            new DroppedDocument("web", 20L, "web20", "duplicate of a target", "gsm:0", 1.0));
  }

  @Test
  void benchmarksMayBeTargets() {
    Signature signature = SCHEME.sign("a sum");
    Examination found =
        new Examination(
            Map.of(),
            Optional.of(new Examination.Drop("benchmark", "sums")),
            Optional.of(signature),
            Map.of());
    Document document = new Document("x", "a sum", "file", 0L, Map.of(), null);

    refinery.accept(GSM, 0, new Examined.Usable(document, found), decided);
    refinery.accept(WEB, 0, new Examined.Usable(document, found), decided);

    assertThat(decided.said).hasSize(1);
    assertThat(decided.dropped).extracting(DroppedDocument::getWhy).containsExactly("benchmark");
  }

  @Test
  void aRestoredRefineryGoesOnAsOneThatNeverStopped() {
    List<String[]> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      all.add(i % 3 == 2 ? texts.changed(all.get(i - 1), 1, 4) : texts.words(60));
    }
    List<String> never = run(all, 60);
    for (int stop : new int[] {1, 17, 40}) {
      assertThat(run(all, stop)).isEqualTo(never);
    }
  }

  /**
   * What is said of documents by a refinery that is another one, with its state, from a stop on.
   */
  private List<String> run(List<String[]> all, int stop) {
    TargetSetsTest run = new TargetSetsTest();
    for (int i = 0; i < all.size(); i++) {
      if (i == stop) {
        byte[] snapshot = run.refinery.snapshot();
        run.refinery = run.refinery(0.5, 1_000);
        run.refinery.restore(snapshot);
      }
      run.accept(i % 5 == 0 ? WEB : i % 2, all.get(i));
    }
    List<String> said = new ArrayList<>(run.decided.said);
    run.decided.dropped.forEach(dropped -> said.add(dropped.toString()));
    said.add(run.refinery.progress().toString());
    return said;
  }

  private long documents(String domain) {
    return refinery.progress().getOutputs().stream()
        .filter(output -> output.getDomain().equals(domain))
        .mapToLong(RefinedDomain::getDocuments)
        .sum();
  }

  private void accept(int input, String[] words) {
    String text = TestingTexts.text(words);
    String id = List.of("gsm", "law", "web").get(input) + offsets[input];
    Examination found =
        new Examination(Map.of(), Optional.empty(), Optional.of(SCHEME.sign(text)), Map.of());
    refinery.accept(
        input,
        offsets[input]++,
        new Examined.Usable(new Document(id, text, "file", 0L, Map.of(), null), found),
        decided);
  }

  /** A document that was trained on though it is like a target document: it was not found so. */
  private void training(String[] words) {
    twins(1_000).remember(new DocumentPlace(WEB, 9), SCHEME.sign(TestingTexts.text(words)));
  }

  private Twins twins(long keep) {
    return new Twins(SCHEME, training, Twins.DEFAULT_LEAST, keep);
  }

  private Refinery refinery(double tests, long keep) {
    RefineStep step =
        new RefineStep(
            StepNames.TARGETS,
            "",
            "",
            Map.of(
                "into",
                "{input}-{side}",
                "domains",
                "gsm law",
                "tests",
                Double.toString(tests),
                "seed",
                "7"));
    RefineSpec spec =
        new RefineSpec(
            "r",
            List.of("gsm", "law", "web"),
            "web-out",
            List.of("web-out", "gsm-steers", "gsm-tests", "law-steers", "law-tests"),
            List.of(step),
            1L);
    Twins twins = twins(keep);
    KnownTwins known =
        new KnownTwins() {
          @Override
          public Optional<Found> add(DocumentPlace place, Signature signature) {
            return twins
                .add(place, signature)
                .map(twin -> new Found(twin.exact(), Optional.of(twin)));
          }

          @Override
          public String note() {
            return "";
          }
        };
    return new Refinery(
        spec, Optional.of(known), Optional.of(new TargetTwins(SCHEME, targets, 0.6, twins)));
  }
}
