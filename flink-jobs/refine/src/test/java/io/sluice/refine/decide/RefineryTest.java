package io.sluice.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.refine.step.Examination;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.twin.DocumentPlace;
import io.sluice.refine.twin.Signature;
import io.sluice.refine.twin.SignatureScheme;
import io.sluice.refine.twin.Twin;
import io.sluice.schema.Document;
import io.sluice.schema.DroppedDocument;
import io.sluice.schema.RefineProgress;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class RefineryTest {
  private static final RefineStep BUCKETS =
      new RefineStep(
          StepNames.PERPLEXITY,
          "m",
          "00",
          Map.of("buckets", "3", "warm-up", "10", "growth", "1.5", "tolerance", "0.2"));

  private final TestingDecisions decided = new TestingDecisions();

  @Test
  void aDocumentGoesToTheDomainThatItsPropertiesSay() {
    Refinery refinery = refinery("{input}-{topic}", List.of("a", "b"), Optional.empty());

    refinery.accept(0, 4, usable("x", Map.of("topic", "art")), decided);
    refinery.accept(1, 0, usable("x", Map.of("topic", "law")), decided);

    assertThat(decided.said).containsExactly("a-art a/x", "b-law b/x");
    assertThat(refinery.progress().getOffsets()).containsExactly(5L, 1L);
    assertThat(refinery.progress().getCounts()).isEqualTo(Map.of("kept", 2L));
  }

  @Test
  void whatIsSaidOfADocumentIsAmongItsProperties() {
    Refinery refinery = refinery("{topic}", List.of("a"), Optional.empty());
    Document document =
        new Document("x", "text", "file", 0L, Map.of("topic", "old", "kept", "yes"), null);

    refinery.accept(
        0,
        0,
        new Examined.Usable(
            document,
            new Examination(Map.of("topic", "new"), Optional.empty(), Optional.empty(), Map.of())),
        decided);

    assertThat(decided.documents.get(0).getProperties())
        .isEqualTo(Map.of("topic", "new", "kept", "yes"));
    assertThat(decided.documents.get(0).getId()).isEqualTo("x");
  }

  @Test
  void duplicatesAndWhatBenchmarksHaveAreLeftOut() {
    Twin twin = new Twin(new DocumentPlace(0, 7), 1, .75, false);
    TestingTwins twins = new TestingTwins(new KnownTwins.Found(false, Optional.of(twin)));
    Refinery refinery = refinery("out", List.of("a"), Optional.of(twins));

    refinery.accept(0, 8, signed("x", Optional.empty()), decided);
    refinery.accept(
        0, 9, signed("y", Optional.of(new Examination.Drop("benchmark", "gsm"))), decided);

    assertThat(decided.dropped)
        .containsExactly(
            new DroppedDocument("a", 8L, "x", "near duplicate", "a:7", .75),
            new DroppedDocument("a", 9L, "y", "benchmark", "gsm", 1.0));
    assertThat(twins.added).as("what is dropped is not remembered").isEqualTo(1);
    assertThat(refinery.progress().getCounts())
        .isEqualTo(Map.of("near duplicate", 1L, "benchmark", 1L));
  }

  @Test
  void aTwinThatNobodyKnowsByNameIsOneAllTheSame() {
    TestingTwins twins = new TestingTwins(new KnownTwins.Found(false, Optional.empty()));
    Refinery refinery = refinery("out", List.of("a"), Optional.of(twins));

    refinery.accept(0, 0, signed("x", Optional.empty()), decided);

    assertThat(decided.dropped)
        .containsExactly(new DroppedDocument("a", 0L, "x", "near duplicate", "", 1.0));
  }

  @Test
  void theOutputsEndWithTheLastInput() {
    Refinery refinery = refinery("{topic}", List.of("a", "b"), Optional.empty());

    refinery.accept(0, 0, usable("x", Map.of("topic", "art")), decided);
    refinery.accept(0, 1, new Examined.End(), decided);
    assertThat(decided.ends).isEmpty();
    assertThat(refinery.progress().getEnded()).isFalse();
    refinery.accept(0, 2, usable("y", Map.of("topic", "art")), decided);
    refinery.accept(1, 0, new Examined.End(), decided);

    assertThat(decided.ends).isEqualTo(Map.of("art", 1L, "law", 0L));
    assertThat(decided.refusals)
        .containsExactly(
            "after the end marker of domain 'a': an ended domain takes no more documents");
    assertThat(refinery.progress().getEnded()).isTrue();
    assertThat(refinery.progress().getCounts())
        .isEqualTo(Map.of("kept", 1L, "end", 2L, "dead letter", 1L));
  }

  @Test
  void textsWithoutWordsHaveABucketOfTheirOwn() {
    Refinery refinery = bucketed();

    refinery.accept(0, 0, usable("x", Map.of("perplexity", "none")), decided);

    assertThat(decided.said).containsExactly("p-none x");
  }

  @Test
  void everyRecordIsCountedOnceAndARestoredRefineryGoesOnAsOneThatNeverStopped() {
    Random random = new Random(3);
    List<Examined> records = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      int kind = random.nextInt(10);
      records.add(
          kind == 0
              ? new Examined.Purged()
              : kind == 1
                  ? new Examined.Refused("no record")
                  : usable(
                      "d" + i, Map.of("perplexity", Double.toString(random.nextDouble() * i))));
    }
    Refinery whole = bucketed();
    for (int i = 0; i < records.size(); i++) {
      whole.accept(0, i, records.get(i), decided);
    }
    assertThat(decided.moved).hasSizeGreaterThan(2);
    for (int stop : new int[] {0, 9, 11, 150, 399}) {
      TestingDecisions parts = new TestingDecisions();
      Refinery before = bucketed();
      for (int i = 0; i < stop; i++) {
        before.accept(0, i, records.get(i), parts);
      }
      Refinery after = bucketed();
      after.restore(before.snapshot());
      for (int i = stop; i < records.size(); i++) {
        after.accept(0, i, records.get(i), parts);
      }
      assertThat(parts.said).isEqualTo(decided.said);
      assertThat(parts.moved).isEqualTo(decided.moved);
      assertThat(after.snapshot()).isEqualTo(whole.snapshot());
    }
    RefineProgress progress = whole.progress();
    assertThat(progress.getCounts().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(progress.getRecords())
        .isEqualTo(400);
    assertThat(progress.getOutputs().stream().mapToLong(each -> each.getDocuments()).sum())
        .isEqualTo(progress.getCounts().get("kept"));
  }

  @Test
  void stateOfOtherInputsIsRefused() {
    byte[] snapshot = refinery("out", List.of("a", "b"), Optional.empty()).snapshot();
    Refinery other = refinery("out", List.of("a"), Optional.empty());

    assertThatThrownBy(() -> other.restore(snapshot))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("state of a refinery must be of 1 inputs: found 2");
  }

  private static Refinery refinery(
      String pattern, List<String> inputs, Optional<KnownTwins> twins) {
    return new Refinery(
        new RefineSpec("r", inputs, pattern, List.of("art", "law"), List.of(), 1L),
        twins,
        Optional.empty());
  }

  private static Refinery bucketed() {
    return new Refinery(
        new RefineSpec("r", List.of("a"), "p-{perplexity}", List.of(), List.of(BUCKETS), 1L),
        Optional.empty(),
        Optional.empty());
  }

  private static Examined usable(String id, Map<String, String> properties) {
    return new Examined.Usable(
        new Document(id, "a text", "file", 0L, Map.of(), null),
        new Examination(properties, Optional.empty(), Optional.empty(), Map.of()));
  }

  private static Examined signed(String id, Optional<Examination.Drop> drop) {
    Signature signature = SignatureScheme.DEFAULT.sign("a text");
    return new Examined.Usable(
        new Document(id, "a text", "file", 0L, Map.of(), null),
        new Examination(Map.of(), drop, Optional.of(signature), Map.of()));
  }

  private static final class TestingTwins implements KnownTwins {
    private final Found found;
    private int added;

    private TestingTwins(Found found) {
      this.found = found;
    }

    @Override
    public Optional<Found> add(DocumentPlace place, Signature signature) {
      added++;
      return Optional.of(found);
    }

    @Override
    public String note() {
      return "";
    }
  }
}
