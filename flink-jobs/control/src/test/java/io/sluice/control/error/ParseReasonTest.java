package io.sluice.control.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class ParseReasonTest {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  @Test
  void aReasonHasItsPlaceAndNoWordOfTheLibrary() {
    assertThat(
            List.of(
                reason("{\"text\": \"a\""),
                reason("{\"n\": NaN}"),
                reason("prose"),
                reason("{\"a\": 1}\n{\"b\": 2}"),
                reason("{\"a\": 1, \"a\": 2}"),
                reason("[".repeat(2000)),
                reason("{\"a\": \"b\u0000\"}"),
                reason("{\"a\": 01}")))
        .containsExactly(
            "Unexpected end-of-input: expected close marker for Object (start marker at line 1,"
                + " column 1), at column 13",
            "Non-standard token 'NaN', at column 10",
            "Unrecognized token 'prose': was expecting (JSON String, Number, Array, Object or token"
                + " 'null', 'true' or 'false'), at column 1",
            "Trailing token (of type START_OBJECT) found after value, at line 2, column 1",
            "Duplicate field 'a', at column 15",
            "Document nesting depth (1001) exceeds the maximum allowed (1000)",
            "Illegal unquoted character ((CTRL-CHAR, code 0)): has to be escaped using backslash to"
                + " be included in string value, at column 9",
            "Invalid numeric value: Leading zeroes not allowed, at column 8");
  }

  private static String reason(String text) {
    return ParseReason.placed(
        catchThrowableOfType(JsonProcessingException.class, () -> JSON.readTree(text)));
  }
}
