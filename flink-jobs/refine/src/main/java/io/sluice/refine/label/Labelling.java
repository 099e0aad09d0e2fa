package io.sluice.refine.label;

import io.sluice.refine.classify.LabelPrompt;
import io.sluice.refine.classify.Topic;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Reply;
import io.sluice.refine.synthesis.Request;
import io.sluice.refine.synthesis.RequestKey;
import io.sluice.refine.synthesis.Sampling;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Task;
import java.util.Map;
import java.util.Optional;

/**
 * Has a language model name the topic of documents, so that a small classifier can learn from them
 * what the model knows (Llama-3-SynE, section 4.1.1). What is made of a document is the name of its
 * topic.
 *
 * @param model as the endpoint knows it
 */
public record Labelling(LabelPrompt prompt, String model, Sampling sampling) implements Task {
  private static final int SHOWN = 80;

  @Override
  public Request request(Seed seed) {
    return new Request(model, prompt.of(seed.text()), sampling);
  }

  @Override
  public Outcome outcome(String seed, RequestKey key, Reply.Settled reply) {
    if (!(reply instanceof Reply.Answered answered)) {
      return Outcome.Refused.byEndpoint(seed, reply);
    }
    Optional<Topic> chosen = prompt.chosen(answered.text());
    if (chosen.isEmpty()) {
      String said = answered.text().strip();
      return new Outcome.Refused(
          seed, "the answer names no topic", said.substring(0, Math.min(SHOWN, said.length())));
    }
    return new Outcome.Made(
        seed,
        seed,
        chosen.get().name(),
        Map.of("label-model", model, "label-request", key.first()));
  }
}
