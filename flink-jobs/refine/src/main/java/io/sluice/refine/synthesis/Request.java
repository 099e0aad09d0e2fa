package io.sluice.refine.synthesis;

import io.sluice.control.line.Utf8;
import java.util.List;

/** What an endpoint is asked: all that its answer may depend on. */
public record Request(String model, String prompt, Sampling sampling) {
  private static final int BYTES_PER_TOKEN = 3;

  /** Tokens around a message, such as those that say whose turn it is. */
  private static final int AROUND = 16;

  /** Checks the model. */
  public Request {
    if (model.isBlank()) {
      throw new IllegalArgumentException("--model must not be empty");
    }
  }

  /** The same for equal requests alone, in all versions of Sluice. */
  public RequestKey key() {
    return RequestKey.of(
        List.of(
            "chat-1",
            model,
            prompt,
            Double.toString(sampling.temperature()),
            Integer.toString(sampling.maxTokens()),
            Long.toString(sampling.seed())));
  }

  /**
   * Tokens that the request may cost before anybody has counted them: a token for three bytes of
   * the prompt, which is more than tokenizers take for most texts, and the longest answer.
   */
  public long mostTokens() {
    return Utf8.length(prompt) / BYTES_PER_TOKEN + AROUND + sampling.maxTokens();
  }
}
