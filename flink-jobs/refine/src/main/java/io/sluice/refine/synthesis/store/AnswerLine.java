package io.sluice.refine.synthesis.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.RequestKey;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A line of a file of answers: what was noted of a request. */
public sealed interface AnswerLine {
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
    ObjectNode map = LineForm.JSON.createObjectNode().put("key", line.key().hex());
    map.put("tokens", line.tokens());
    if (line instanceof Replied replied && replied.reply() instanceof Reply.Answered answered) {
      map.put("kind", "answered").put("text", answered.text()).put("cut", answered.cut());
      answered.tokens().ifPresent(count -> map.put("counted", count));
    } else if (line instanceof Replied replied) {
      map.put("kind", "refused").put("reason", ((Reply.Refused) replied.reply()).reason());
    } else {
      map.put("kind", line instanceof Reserved ? "reserved" : "settled");
    }
    return LineForm.line(map);
  }

  /**
   * The line of bytes without their line feed.
   *
   * @return null if they are not as they were written
   */
  static @Nullable AnswerLine decode(byte[] bytes) {
    JsonNode map = LineForm.map(bytes);
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
    return LineForm.line(
        LineForm.JSON.createObjectNode().put("kind", "sluice-answers").put("version", 1));
  }

  /** Whether bytes without a line feed are the first line of a file that this class can read. */
  static boolean isHead(byte[] bytes) {
    byte[] head = head();
    return Arrays.equals(head, 0, head.length - 1, bytes, 0, bytes.length);
  }
}
