package io.sluice.refine.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.basis.Resampling;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.step.StepNames;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RefineSpecsTest {
  @Test
  void stepsAreInTheOrderInWhichTheyAreTakenAndBucketsAreNames() {
    RefineSpec spec =
        RefineSpecs.resolve(
            "r", List.of("a"), "{input}-{perplexity}", List.of(buckets(2, "h"), duplicates("0.7")));

    assertThat(spec.getSteps())
        .extracting(RefineStep::getName)
        .containsExactly(StepNames.DUPLICATES, StepNames.PERPLEXITY);
    assertThat(spec.getDomains()).containsExactly("a-0", "a-1", "a-none");
  }

  @Test
  void theFingerprintIsOfWhatDecidesNotOfWhereModelsLie() {
    long fingerprint = fingerprint("a", "o-{perplexity}", buckets(2, "h"));

    assertThat(fingerprint("a", "o-{perplexity}", moved(buckets(2, "h")))).isEqualTo(fingerprint);
    assertThat(
            List.of(
                fingerprint("b", "o-{perplexity}", buckets(2, "h")),
                fingerprint("a", "p-{perplexity}", buckets(2, "h")),
                fingerprint("a", "o-{perplexity}", buckets(3, "h")),
                fingerprint("a", "o-{perplexity}", buckets(2, "i"))))
        .doesNotContain(fingerprint)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatCannotBeIsRefused() {
    assertRefused("a.b", List.of("a"), "o", "refinery must be 1 to 63 letters");
    assertRefused(
        "r", List.of(), "o", "inputs must be 1 to 256 domains, with those of targets: found 0");
    assertRefused(
        "r", List.of("a", "a"), "o", "inputs and targets must name each domain once: found [a, a]");
    assertRefused("r", List.of("a"), "{input}", "domains must be others than inputs");
    assertRefused(
        "r",
        List.of("a"),
        "o-{topic}",
        "domains must have {input} or the name of a step that is taken in braces: found {topic}");
    assertThatThrownBy(
            () -> RefineSpecs.resolve("r", List.of("a"), "{duplicates}", List.of(duplicates("1"))))
        .isInstanceOf(BadInputException.class)
        .hasMessage(
            "a pattern can have {input} and [topic, perplexity, cluster, basis]: found {duplicates}");
  }

  @Test
  void copiesAreDrawnByTheClustersThatTheirTopicsWereCountedBy(@TempDir Path folder) {
    String clusters = "ab".repeat(32);
    Histogram counted = Histogram.of(clusters, Map.of(0, 1L));
    BasisModel model =
        BasisModel.write(
            folder.resolve("m"),
            counted,
            new TreeMap<>(Map.of("x", counted, "y", counted)),
            new Resampling(1, 1, 1));
    RefineStep basis =
        new RefineStep(StepNames.BASIS, folder.resolve("m").toString(), model.hash(), Map.of());
    RefineStep cluster = cluster(clusters, "descent");

    assertThat(resolved("b-{basis}", cluster, basis).getDomains()).containsExactly("b-x", "b-y");
    assertThatThrownBy(() -> resolved("b-{basis}", basis))
        .hasMessage("basis must have cluster with it: found none");
    assertThatThrownBy(() -> resolved("b-{basis}", cluster("00", "descent"), basis))
        .hasMessage("basis.model must be of cluster.model's clusters, 00: found " + clusters);
    assertThatThrownBy(() -> resolved("b-{basis}", cluster(clusters, "flat"), basis))
        .hasMessageContaining("cluster.assign must be descent with basis");
    assertThatThrownBy(() -> resolved("b", cluster, basis))
        .hasMessageContaining("domains must have {basis} where that step is taken");
  }

  @Test
  void targetSetsAreReadFirstAndHaveTwoDomainsEach() {
    RefineSpec spec = resolved("o-{input}", duplicates("0.7"), targets("gsm law"));

    assertThat(spec.getInputs()).containsExactly("gsm", "law", "a");
    assertThat(spec.getDomains())
        .containsExactly("o-a", "gsm-steers", "gsm-tests", "law-steers", "law-tests");
    assertThat(resolved("o-{input}", duplicates("0.7"), targets("law gsm")).getFingerprint())
        .isNotEqualTo(spec.getFingerprint());
  }

  @Test
  void targetSetsNeedToKnowTwins() {
    RefineStep filters = new RefineStep(StepNames.DUPLICATES, "", "", Map.of("memory", "filters"));
    String reason = "targets must have duplicates with memory: state, which knows each document";
    assertThatThrownBy(() -> resolved("o", targets("gsm")))
        .hasMessageStartingWith(reason)
        .hasMessageEndingWith("found no such step");
    assertThatThrownBy(() -> resolved("o", filters, targets("gsm")))
        .hasMessageStartingWith(reason)
        .hasMessageEndingWith("found filters");
    assertThatThrownBy(() -> resolved("o", duplicates("1"), targets("a")))
        .hasMessage("inputs and targets must name each domain once: found [a, a]");
    assertThatThrownBy(() -> resolved("g-tests", duplicates("1"), targets("g")))
        .hasMessage("domains must be others than those of targets: 'g-tests' comes to g-tests");
    assertThatThrownBy(() -> resolved("o", duplicates("1"), targets("g", "{side}")))
        .hasMessage("targets.into must have {input} and {side}: found [side]");
    assertThat(resolved("o", duplicates("1"), targets("g", "x-{side}-{input}")).getDomains())
        .containsExactly("o", "x-steers-g", "x-tests-g");
    assertThatThrownBy(() -> resolved("o", duplicates("1"), targets("g".repeat(60))))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining("domain must be 1 to 63 letters");
  }

  private static RefineStep targets(String domains) {
    return targets(domains, "{input}-{side}");
  }

  private static RefineStep targets(String domains, String into) {
    return new RefineStep(
        StepNames.TARGETS,
        "",
        "",
        Map.of("domains", domains, "into", into, "tests", "0.5", "seed", "7"));
  }

  private static RefineSpec resolved(String pattern, RefineStep... steps) {
    return RefineSpecs.resolve("r", List.of("a"), pattern, List.of(steps));
  }

  private static RefineStep cluster(String hash, String assign) {
    return new RefineStep(StepNames.CLUSTER, "clusters", hash, Map.of("assign", assign));
  }

  private static void assertRefused(
      String name, List<String> inputs, String pattern, String reason) {
    assertThatThrownBy(() -> RefineSpecs.resolve(name, inputs, pattern, List.of()))
        .isInstanceOf(BadInputException.class)
        .hasMessageContaining(reason);
  }

  private static long fingerprint(String input, String pattern, RefineStep step) {
    return RefineSpecs.resolve("r", List.of(input), pattern, List.of(step)).getFingerprint();
  }

  private static RefineStep duplicates(String similarity) {
    return new RefineStep(
        StepNames.DUPLICATES, "", "", Map.of("memory", "state", "similarity", similarity));
  }

  private static RefineStep buckets(int buckets, String hash) {
    return new RefineStep(
        StepNames.PERPLEXITY, "model", hash, Map.of("buckets", Integer.toString(buckets)));
  }

  private static RefineStep moved(RefineStep step) {
    return RefineStep.newBuilder(step).setModel("elsewhere").build();
  }
}
