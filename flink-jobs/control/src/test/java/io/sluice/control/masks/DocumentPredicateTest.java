package io.sluice.control.masks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which documents a predicate means. */
final class DocumentPredicateTest {
  private static final Map<String, String> PROPERTIES =
      Map.of("source", "forum x", "score", "0.1900", "lang", "de", "my field", "7", "empty", "");

  private static boolean test(String where) {
    return DocumentPredicate.parse(where).test("doc-17", "/data/a.jsonl", PROPERTIES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "lang = de | true",
        "lang=de | true",
        "lang = \"de\" | true",
        "lang = 'de' | true",
        "lang = DE | false",
        "lang != de | false",
        "lang != fr | true",
        "source = \"forum x\" | true",
        "\"my field\" = 7 | true",
        "score < 0.2 | true",
        "score <= 0.19 | true",
        "score < 0.19 | false",
        "score >= 1.9e-1 | true",
        "score > -1 | true",
        "score = 0.19 | true",
        "score = \"0.19\" | false",
        "score = \"0.1900\" | true",
        "score != 0.19 | false",
        "score != \"0.19\" | true",
        "lang < 5 | false",
        "lang = 5 | false",
        "lang != 5 | false",
        "nothing = de | false",
        "nothing != de | false",
        "nothing < 5 | false",
        "empty = \"\" | true",
        "id = doc-17 | true",
        "origin = /data/a.jsonl | true",
        "origin = /data/b.jsonl | false",
        "lang = de and score < 0.2 | true",
        "lang = de AND score < 0.2 and id = doc-17 | true",
        "lang = de and score > 0.2 | false",
        "lang = fr and score < 0.2 | false",
        "source = \"a and b\" | false",
      })
  void aDocumentIsMeantIfAllConditionsHold(String where, boolean meant) {
    assertThat(test(where)).isEqualTo(meant);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "lang | NAME = VALUE, with one of = != < <= > >= at character 1: 'lang'",
        "lang = | NAME = VALUE, with one of = != < <= > >= at character 1: 'lang ='",
        "= de | NAME = VALUE, with one of = != < <= > >= at character 1: '= de'",
        "lang == de | NAME = VALUE, with one of = != < <= > >= at character 1",
        "lang = de or a = b | 'and' at character 11: 'or a = b'",
        "lang = de and | NAME = VALUE, with one of = != < <= > >= at character 14: ''",
        "lang = de andy = 3 | 'and' at character 11: 'andy = 3'",
        "score < low | a number behind < at character 1: 'score < low'",
        "a = b and score >= \"x\" | a number behind >= at character 10",
        "score < NaN | a number behind < at character 1",
        "lang = \"de | NAME = VALUE, with one of = != < <= > >= at character 1",
      })
  void whatCannotBeReadIsNamedWithItsPlace(String where, String wanted) {
    assertThatThrownBy(() -> DocumentPredicate.parse(where))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("--where must have " + wanted);
  }

  @Test
  void aPredicateIsBounded() {
    assertThatThrownBy(() -> DocumentPredicate.parse(""))
        .hasMessage("--where must have 1 to 1000 characters: 0");
    assertThatThrownBy(() -> DocumentPredicate.parse("a = " + "b".repeat(1000)))
        .hasMessageStartingWith("--where must have 1 to 1000 characters: 1004");
    String many = "a = b" + " and a = b".repeat(32);
    assertThatThrownBy(() -> DocumentPredicate.parse(many))
        .hasMessage("--where must have at most 32 conditions");
    assertThat(DocumentPredicate.parse("a = b" + " and a = b".repeat(31)).toString())
        .hasSize(5 + 31 * 10);
  }
}
