package io.sluice.control.line;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as RFC 8259 has it, written from that alone: objects as maps, which have no name twice,
 * arrays as lists, texts as {@code String}, anything else as its characters in a {@code
 * StringBuilder}.
 */
final class TestingJson {
  private final String text;
  private int at;

  /** What is not JSON. */
  static final class NotJson extends Exception {
    private static final long serialVersionUID = 1L;
  }

  private TestingJson(String text) {
    this.text = text;
  }

  static Object parse(String text) throws NotJson {
    TestingJson json = new TestingJson(text);
    Object value = json.value();
    json.space();
    json.require(json.at == text.length());
    return value;
  }

  private Object value() throws NotJson {
    space();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() throws NotJson {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    space();
    if (peek() == '}') {
      at++;
      return object;
    }
    do {
      space();
      String name = string();
      space();
      require(next() == ':');
      require(!object.containsKey(name));
      object.put(name, value());
      space();
    } while (goesOn('}'));
    return object;
  }

  private List<Object> array() throws NotJson {
    List<Object> array = new ArrayList<>();
    at++;
    space();
    if (peek() == ']') {
      at++;
      return array;
    }
    do {
      array.add(value());
      space();
    } while (goesOn(']'));
    return array;
  }

  private boolean goesOn(char end) throws NotJson {
    char found = next();
    require(found == ',' || found == end);
    return found == ',';
  }

  private String string() throws NotJson {
    require(next() == '"');
    StringBuilder string = new StringBuilder();
    for (char c = next(); c != '"'; c = next()) {
      require(c >= ' ');
      string.append(c == '\\' ? escaped() : c);
    }
    return string.toString();
  }

  private char escaped() throws NotJson {
    char c = next();
    if (c == 'u') {
      int code = 0;
      for (int i = 0; i < 4; i++) {
        char digit = next();
        require(digit < 128 && Character.digit(digit, 16) >= 0);
        code = 16 * code + Character.digit(digit, 16);
      }
      return (char) code;
    }
    int known = "\"\\/bfnrt".indexOf(c);
    require(known >= 0);
    return "\"\\/\b\f\n\r\t".charAt(known);
  }

  private StringBuilder word() throws NotJson {
    int from = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    require(word.matches("true|false|null|-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?"));
    return new StringBuilder(word);
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() throws NotJson {
    require(at < text.length());
    return text.charAt(at);
  }

  private char next() throws NotJson {
    char c = peek();
    at++;
    return c;
  }

  private void require(boolean holds) throws NotJson {
    if (!holds) {
      throw new NotJson();
    }
  }
}
