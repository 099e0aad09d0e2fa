package io.sluice.refine.synthesis.store;

import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A line of a file of answers: what was noted of a request. */
sealed interface AnswerLine {
  /** What was noted of. */
  RequestKey key();

  /** What it may cost, or has. */
  long tokens();

  /** The request is about to be asked. */
  record Reserved(RequestKey key, long tokens) implements AnswerLine {}

  /** It was asked, and there is no reply. */
  record Settled(RequestKey key, long tokens) implements AnswerLine {}

  /** It was asked, and there is a reply; tokens are what the last attempt has cost. */
  record Replied(RequestKey key, Reply.Settled reply, long tokens) implements AnswerLine {}

  /** The bytes of a line with its line feed. */
  static byte[] encode(AnswerLine line) {
    ObjectNode map = Form.JSON.createObjectNode().put("key", line.key().hex());
    map.put("tokens", line.tokens());
    if (line instanceof Replied replied && replied.reply() instanceof Reply.Answered answered) {
      map.put("kind", "answered").put("text", answered.text()).put("cut", answered.cut());
      answered.tokens().ifPresent(count -> map.put("counted", count));
    } else if (line instanceof Replied replied) {
      map.put("kind", "refused").put("reason", ((Reply.Refused) replied.reply()).reason());
    } else {
      map.put("kind", line instanceof Reserved ? "reserved" : "settled");
    }
    return Form.line(map);
  }

  /**
   * The line of bytes without their line feed.
   *
   * @return null if they are not as they were written
   */
  static @Nullable AnswerLine decode(byte[] bytes) {
    JsonNode map = Form.map(bytes);
    if (map == null) {
      return null;
    }
    RequestKey key = new RequestKey(map.path("key").asText());
    long tokens = map.path("tokens").asLong();
    return switch (map.path("kind").asText()) {
      case "reserved" -> new Reserved(key, tokens);
      case "settled" -> new Settled(key, tokens);
      case "refused" -> new Replied(key, new Reply.Refused(map.path("reason").asText()), tokens);
      case "answered" -> {
        Optional<Long> counted =
            map.has("counted") ? Optional.of(map.path("counted").asLong()) : Optional.empty();
        String text = map.path("text").asText();
        yield new Replied(
            key, new Reply.Answered(text, map.path("cut").asBoolean(), counted), tokens);
      }
      default -> null;
    };
  }

  /** The first line of every file. */
  static byte[] head() {
    return Form.line(Form.JSON.createObjectNode().put("kind", "sluice-answers").put("version", 1));
  }

  /** Whether bytes without a line feed are the first line of a file that this class can read. */
  static boolean isHead(byte[] bytes) {
    byte[] head = head();
    return Arrays.equals(head, 0, head.length - 1, bytes, 0, bytes.length);
  }

  /** Checksum and JSON. */
  final class Form {
    /** In ASCII, since halves of surrogate pairs, which an endpoint may send, have no UTF-8. */
    private static final JsonMapper JSON =
        JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private static final int SUM = 9;

    private Form() {}

    private static byte[] line(ObjectNode map) {
      try {
        byte[] json = JSON.writeValueAsBytes(map);
        byte[] line = Arrays.copyOf(sum(json, 0), SUM + json.length + 1);
        System.arraycopy(json, 0, line, SUM, json.length);
        line[line.length - 1] = '\n';
        return line;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static @Nullable JsonNode map(byte[] line) {
      if (line.length <= SUM || !Arrays.equals(line, 0, SUM, sum(line, SUM), 0, SUM)) {
        return null;
      }
      try {
        return JSON.readTree(line, SUM, line.length - SUM);
      } catch (IOException e) {
        return null;
      }
    }

    private static byte[] sum(byte[] bytes, int from) {
      CRC32C crc = new CRC32C();
      crc.update(bytes, from, bytes.length - from);
      String digits = HexFormat.of().toHexDigits((int) crc.getValue()) + " ";
      return digits.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
