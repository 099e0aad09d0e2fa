package io.sluice.control.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.control.error.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigFileTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir Path directory;

  @Test
  void readsEveryKindOfValue() {
    ConfigSection root =
        parse(
            """
            run: velo
            batch: 4M tokens
            seed: 1_000
            held-out: 0.25
            timeout: 10m
            domains: [java, wiki]
            smoothing: {new-weight: 1.0}
            steps: [{from: 1}, {from: 9}]
            """);
    assertThat(root.text("run")).isEqualTo("velo");
    assertThat(root.quantity("batch", List.of("sequences", "tokens"), 1, 10_000_000))
        .isEqualTo(new Quantity(4_000_000, "tokens"));
    assertThat(root.count("seed", "", 0, 5000)).isEqualTo(1000);
    assertThat(root.number("held-out", 0, 1)).isEqualTo(0.25);
    assertThat(root.duration("timeout", SECOND, HOUR, HOUR)).isEqualTo(Duration.ofMinutes(10));
    assertThat(root.texts("domains")).containsExactly("java", "wiki");
    assertThat(root.section("smoothing").number("new-weight", 0, 1)).isEqualTo(1);
    assertThat(root.sections("steps").get(1).count("from", "", 1, 9)).isEqualTo(9);
    root.requireNoOther();
  }

  @Test
  void missingKeysTakeTheirDefault() {
    ConfigSection root = parse("run: velo\nseed:\n");
    assertThat(root.count("seed", "", 0, 9, 7)).isEqualTo(7);
    assertThat(root.text("policy", "static")).isEqualTo("static");
    assertThat(root.section("apply").count("lag", "", 0, 9, 0)).isZero();
    assertThat(root.has("seed")).isFalse();
  }

  @Test
  void aTabThatIndentsIsNamed() {
    assertRefused(() -> parse("run: velo\napply:\n\tlag: 2\n"))
        .hasMessageContaining(", line 3: a tab indents it; YAML takes spaces only");
    assertThat(parse("run: 'a\tb'\n").text("run")).isEqualTo("a\tb");
  }

  @Test
  void timesAreToldAsPeopleSayThem() {
    assertThat(List.of(0, 59, 60, 200, 3600, 7384, 90_000, 172_800))
        .extracting(seconds -> Durations.passed(Duration.ofSeconds(seconds)))
        .containsExactly(
            "0 s", "59 s", "1 min", "3 min 20 s", "1 h", "2 h 3 min", "1 d 1 h", "2 d");
  }

  @Test
  void timesAreWrittenInTheLargestUnitThatIsExact() {
    List<String> written = List.of("0ms", "1500ms", "90s", "10m", "36h", "1d", "365d");
    assertThat(written)
        .extracting(text -> Durations.format(Durations.require("timeout", text)))
        .isEqualTo(written);
  }

  @Test
  void aMissingKeyIsNamedWithThoseThatAreThere() {
    ConfigSection root = parse("tokeniser: bytes\n");
    assertRefused(() -> root.text("tokenizer"))
        .hasMessage("run.yaml: 'tokenizer' is missing; keys found: tokeniser");
  }

  @Test
  void anUnknownKeyIsNamedByItsWholePath() {
    ConfigSection apply = parse("apply: {lagg: 3}\n").section("apply");
    apply.count("lag", "", 0, 9, 0);
    apply.text("on-timeout", "hold");
    assertRefused(apply::requireNoOther)
        .hasMessage("run.yaml: unknown key 'apply.lagg'; known here: lag, on-timeout");
  }

  @Test
  void aValueOutOfRangeIsNamedWithTheRange() {
    ConfigSection root = parse("a: 5000\nb: 1.5\nc: 3 apples\nd: [1]\ne: 2d\nf: 0.5\n");
    assertRefused(() -> root.count("a", "tokens", 1, 4096))
        .hasMessageContaining("'a' must be a whole number")
        .hasMessageContaining("from 1 to 4096: found '5000'");
    assertRefused(() -> root.count("b", "", 1, 9)).hasMessageContaining("found '1.5'");
    assertRefused(() -> root.count("c", "tokens", 1, 9))
        .hasMessageContaining("with or without 'tokens'")
        .hasMessageContaining("found '3 apples'");
    assertRefused(() -> root.text("d")).hasMessage("run.yaml: 'd' must be a text: found '[1]'");
    assertRefused(() -> root.duration("e", SECOND, HOUR, HOUR))
        .hasMessage(
            "run.yaml: 'e' must be a time such as 500ms, 30s, 10m, 2h or 1d, from 1s to 1h:"
                + " found '2d'");
    assertRefused(() -> root.number("f", 0, 0.25))
        .hasMessage("run.yaml: 'f' must be a number from 0.0 to 0.25: found '0.5'");
    assertRefused(() -> root.share("b", 0))
        .hasMessage("run.yaml: 'b' must be a number from 0 to below 1: found '1.5'");
    assertRefused(() -> root.share("c", 0)).hasMessageContaining("found '3 apples'");
    assertThat(root.share("f", 0)).isEqualTo(0.5);
    assertThat(root.share("none", 0.1)).isEqualTo(0.1);
    assertRefused(() -> root.oneOf("c", "x", List.of("x", "y")))
        .hasMessage("run.yaml: 'c' must be one of x, y: found '3 apples'");
  }

  @Test
  void aUnitIsNeededWhereTwoArePossible() {
    ConfigSection root = parse("batch: 512\n");
    assertRefused(() -> root.quantity("batch", List.of("sequences", "tokens"), 1, 1000))
        .hasMessageContaining("a unit (sequences, tokens)")
        .hasMessageContaining("found '512'");
  }

  @Test
  void aKeyThatIsThereTwiceIsRefused() {
    assertRefused(() -> parse("a: 1\nb: 2\na: 3\n")).hasMessageContaining("a");
  }

  @Test
  void aSecondDocumentIsRefused() {
    assertRefused(() -> parse("a: 1\n---\nb: 2\n")).hasMessageContaining("run.yaml");
  }

  @Test
  void brokenYamlIsRefusedWithItsPlace() {
    assertRefused(() -> parse("a: 1\nb: [1, 2\n")).hasMessageContaining("run.yaml, line ");
    assertRefused(() -> parse("")).hasMessageContaining("must be a map of keys to values");
    assertRefused(() -> parse("- a\n")).hasMessageContaining("must be a map of keys to values");
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws Exception {
    Path missing = directory.resolve("missing.yaml");
    assertRefused(() -> ConfigFile.read(missing)).hasMessage("no such file: " + missing);
    Path binary = Files.write(directory.resolve("b.yaml"), new byte[] {(byte) 0xFF, 0});
    assertRefused(() -> ConfigFile.read(binary)).hasMessageContaining("readable UTF-8 text");
  }

  private static ConfigSection parse(String text) {
    return ConfigFile.parse("run.yaml", text);
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ThrowingCallable call) {
    return assertThatThrownBy(call).isInstanceOf(BadInputException.class);
  }
}
