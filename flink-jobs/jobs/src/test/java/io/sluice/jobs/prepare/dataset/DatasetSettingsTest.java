package io.sluice.jobs.prepare.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.jobs.prepare.tokenizer.Vocabulary;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DatasetSettingsTest {
  private static final List<String> DOMAINS = List.of("wiki", "code");

  @Test
  void everyKeyIsTakenAndHasARange() {
    assertThat(new DatasetSettings("small", "bytes", 64, 10, 7, 0.5, DOMAINS, 2))
        .hasToString(
            "DatasetSettings[name=small, domains=[wiki, code], lanes=2,"
                + " tokens=TokenSettings[tokenizer=bytes, bos=, eos=],"
                + " packing=PackingSettings[sequenceLength=64, mode=concat, window=0,"
                + " padDocumentsTo=1, documentIds=names],"
                + " shuffle=ShuffleSettings[buffer=10, longestWait=PT0S, seed=7],"
                + " heldOut=HeldOutSettings[share=0.5, tokens=0, rule=1],"
                + " fim=FimSettings[rate=0.0, spm=0.0, tokens=[]]]");
    assertRefused("dataset must be 1 to 63 letters", "a.b", 64, 10, 0.5, DOMAINS, 2);
    assertRefused("sequence-length must be in [1, 131072]: found 0", "s", 0, 10, 0.5, DOMAINS, 2);
    assertRefused("shuffle-buffer must be in [1, 10000000]: found 0", "s", 64, 0, 0, DOMAINS, 2);
    assertRefused("held-out must be in [0, 1): found 1.0", "s", 64, 10, 1, DOMAINS, 2);
    assertRefused("held-out must be in [0, 1): found NaN", "s", 64, 10, Double.NaN, DOMAINS, 2);
    assertRefused(
        "domains must name at least one domain: found none", "s", 64, 10, 0, List.of(), 2);
    assertRefused(
        "domains must all be different: 'a' is there twice", "s", 64, 10, 0, List.of("a", "a"), 2);
    assertRefused("lanes must be in [1, 64]: found 65", "s", 64, 10, 0.5, DOMAINS, 65);
  }

  @Test
  void theShuffleWaitHasARange() {
    for (String good : List.of("PT0S", "PT1S", "P365D")) {
      assertThat(waiting(good).longestWait()).isEqualTo(Duration.parse(good));
    }
    for (String bad : List.of("PT0.999S", "PT-1S", "PT8760H0.001S")) {
      assertThatThrownBy(() -> waiting(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("shuffle-wait must be in [1s, 365d], or zero for never: found " + bad);
    }
  }

  @Test
  void allOfADomainAreShuffledWithoutABufferAndWithoutAWait() {
    assertThat(new ShuffleSettings(ShuffleSettings.GLOBAL, Duration.ZERO, 7).buffer())
        .isEqualTo(-1);
    assertThatThrownBy(() -> new ShuffleSettings(ShuffleSettings.GLOBAL, Duration.ofSeconds(5), 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "shuffle-wait is for a shuffle-buffer: with shuffle: global documents wait for the end"
                + " of their domain: found PT5S");
  }

  private static ShuffleSettings waiting(String time) {
    return new ShuffleSettings(10, Duration.parse(time), 7);
  }

  private static void assertRefused(
      String message,
      String name,
      int length,
      int buffer,
      double heldOut,
      List<String> domains,
      int lanes) {
    assertThatThrownBy(
            () -> new DatasetSettings(name, "bytes", length, buffer, 7, heldOut, domains, lanes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void thePackingHasRanges() {
    assertThat(new PackingSettings(64, "best-fit", 1024, 16).padDocumentsTo()).isEqualTo(16);
    assertThatThrownBy(() -> new PackingSettings(64, "concat", 0, 1, "both"))
        .hasMessage("document-ids must be one of [names, hashes]: found both");
    assertPackingRefused("packing must be one of [concat, best-fit]: found fit", 64, "fit", 0, 1);
    assertPackingRefused(
        "packing-window is for packing: best-fit alone: found 2", 64, "concat", 2, 1);
    assertPackingRefused("packing-window must be in [1, 1024]: found 0", 64, "best-fit", 0, 1);
    assertPackingRefused(
        "packing-window times sequence-length must be at most 8388608: found 8519680",
        131_072,
        "best-fit",
        65,
        1);
    assertPackingRefused(
        "pad-documents-to must divide sequence-length, 64: found 0", 64, "concat", 0, 0);
    assertPackingRefused(
        "pad-documents-to must divide sequence-length, 64: found 24", 64, "concat", 0, 24);
  }

  private static void assertPackingRefused(
      String message, int length, String mode, int window, int padTo) {
    assertThatThrownBy(() -> new PackingSettings(length, mode, window, padTo))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void gapsHaveRangesAndTokensOfTheirOwn() {
    FimSettings.NONE.requireIn(new Vocabulary(3, -1, 0, 1));
    new FimSettings(1, 0.5, List.of(5, 3, 4)).requireIn(new Vocabulary(6, 2, 0, 1));
    assertGapsRefused("fim-rate must be in [0, 1]: found 1.5", 1.5, 0, 1, 2, 3);
    assertGapsRefused("fim-spm must be in [0, 1]: found NaN", 1, Double.NaN, 1, 2, 3);
    String three =
        "fim-tokens must be three different ids, before prefix, suffix and middle: found ";
    assertGapsRefused(three + "[1, 2]", 1, 0, 1, 2);
    assertGapsRefused(three + "[1, 2, 1]", 1, 0, 1, 2, 1);
    assertGapsRefused(three + "[1, 2, -3]", 1, 0, 1, 2, -3);
    assertGapsRefused(
        "fim-tokens are for a fim-rate above 0 alone: found [1, 2, 3]", 0, 0, 1, 2, 3);
    FimSettings gaps = new FimSettings(1, 0, List.of(1, 2, 3));
    String other = "fim-tokens must be below %s and have no other meaning: found %s";
    assertThatThrownBy(() -> gaps.requireIn(new Vocabulary(3, -1, 0, 0))).hasMessage(other, 3, 3);
    assertThatThrownBy(() -> gaps.requireIn(new Vocabulary(9, 2, 7, 8)))
        .hasMessage(other, 9, "2, which is the beginning of documents");
    assertThatThrownBy(() -> gaps.requireIn(new Vocabulary(9, -1, 3, 3)))
        .hasMessage(other, 9, "3, which is the end of documents");
    assertThatThrownBy(() -> gaps.requireIn(new Vocabulary(9, -1, 7, 1)))
        .hasMessage(other, 9, "1, which is padding");
  }

  private static void assertGapsRefused(
      String message, double rate, double spm, Integer... tokens) {
    assertThatThrownBy(() -> new FimSettings(rate, spm, List.of(tokens)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
