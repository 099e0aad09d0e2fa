package io.sluice.jobs.prepare.tokenizer.cut;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SplitPatternTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "'s|'t| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
        "(?i:'s|'t)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+"
            + "|\\s+(?!\\S)|\\s+",
        "[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\s+",
        "(?:\\p{Lu}\\p{Ll}*)|[ ]",
        "[\u4E00-\u9FA5]+| +"
      })
  void isProvenToSplitBeforeTheSpace(String regex) {
    assertThat(SplitPattern.of(regex, ' ')).isEqualTo(new SplitPattern(true, true));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\p{N}{1,3}", "[\u4E00-\u9FA5]+", " ?\\p{L}+", "\\r\\n|x"})
  void isProvenToLeaveThePlaceAlone(String regex) {
    assertThat(SplitPattern.of(regex, ' ')).isEqualTo(new SplitPattern(true, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "a b",
        "[a ]+",
        "[^x]{2}",
        "(a|b) ?c",
        "(?:a? )*",
        "a(?: |b)",
        "\\p{L}+(?!\\S)|\\s+",
        "(?!\\S)\\s+",
        "(?=a)\\s+",
        "(?<=a)\\s+",
        "^\\s+",
        "\\s+$",
        "\\bx|\\s+",
        "(a)\\1|\\s+",
        "[[:alpha:]]+|\\s+",
        "\\p{Han}+|\\s+",
        "\\h+|\\s+",
        "[a&&b]|\\s+",
        "(\\s+",
        "\\s+)",
        "[",
        "\\",
        "x{"
      })
  void whatIsNotUnderstoodIsNotProven(String regex) {
    assertThat(SplitPattern.of(regex, ' ')).isEqualTo(new SplitPattern(false, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\\s+", " ", "\\p{L}+|\\s+"})
  void anotherSignIsNotCovered(String regex) {
    assertThat(SplitPattern.of(regex, '\u2581')).isEqualTo(new SplitPattern(true, false));
  }
}
