package io.sluice.refine.synthesis.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Requests and answers as OpenAI's chat completions have them. */
final class ChatMessages {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int SHOWN = 300;

  private ChatMessages() {}

  /** The body of a request. */
  static byte[] encode(Request request) {
    ObjectNode body = JSON.createObjectNode().put("model", request.model());
    body.putArray("messages").addObject().put("role", "user").put("content", request.prompt());
    body.put("temperature", request.sampling().temperature());
    body.put("max_tokens", request.sampling().maxTokens());
    body.put("seed", request.sampling().seed());
    body.put("stream", false);
    try {
      return JSON.writeValueAsBytes(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What an answer of status 200 says.
   *
   * @throws IOException if it is no answer
   */
  static Reply decode(byte[] body) throws IOException {
    JsonNode root = JSON.readTree(body);
    JsonNode choice = root.path("choices").path(0);
    JsonNode message = choice.path("message");
    JsonNode content = message.path("content");
    if (!content.isTextual() && message.path("refusal").isTextual()) {
      return new Reply.Refused("the model refuses: " + shown(message.path("refusal").asText()));
    }
    if (!content.isTextual()) {
      throw new IOException("its answer has no text at choices[0].message.content");
    }
    String finished = choice.path("finish_reason").asText();
    if (finished.equals("content_filter")) {
      return new Reply.Refused("its filter of contents has cut the answer");
    }
    return new Reply.Answered(content.textValue(), finished.equals("length"), tokens(root));
  }

  /** What an error says of itself, in a line. */
  static String error(byte[] body) {
    try {
      JsonNode error = JSON.readTree(body).path("error");
      return shown(error.isTextual() ? error.asText() : error.path("message").asText());
    } catch (IOException e) {
      return "";
    }
  }

  private static Optional<Long> tokens(JsonNode root) {
    JsonNode prompt = root.path("usage").path("prompt_tokens");
    JsonNode completion = root.path("usage").path("completion_tokens");
    boolean said = prompt.canConvertToInt() && completion.canConvertToInt();
    boolean sane = said && prompt.asInt() >= 0 && completion.asInt() >= 0;
    return sane ? Optional.of((long) prompt.asInt() + completion.asInt()) : Optional.empty();
  }

  private static String shown(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
  }
}
