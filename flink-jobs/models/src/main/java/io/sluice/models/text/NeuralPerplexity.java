package io.sluice.models.text;

import io.sluice.control.error.BadInputException;
import io.sluice.models.network.Answer;
import io.sluice.models.network.Network;
import io.sluice.models.tokenizer.TextTokenizer;
import io.sluice.models.tokenizer.Tokens;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.perplexity.PerplexityModel;
import io.sluice.refine.text.Words;
import java.nio.FloatBuffer;
import java.util.OptionalDouble;

/**
 * A neural language model, such as Llama-3-SynE's, section 4.1.2: a causal network whose first
 * output has a logit for each token that may come next, [1, tokens, vocabulary].
 *
 * <p>A text is cut into windows that have one token in common, so that each token but the text's
 * first is told from those before it in its window, once.
 */
final class NeuralPerplexity implements PerplexityModel {
  static final String KIND = "neural-perplexity";
  static final String WINDOWS = "windows";
  static final int MOST_WINDOWS = 4096;

  private final Network network;
  private final TextTokenizer tokenizer;
  private final int window;

  /** Reads one, without a trial. */
  NeuralPerplexity(ModelDirectory model) {
    window = NeuralParameters.tokens(model);
    int windows = model.number(WINDOWS, 1, MOST_WINDOWS);
    tokenizer = TextTokenizer.first(model, windows * (window - 1) + 1);
    network = Network.open(model);
  }

  @Override
  public OptionalDouble perplexity(String text, Words words) {
    Tokens tokens = tokenizer.encode(text);
    double sum = 0;
    for (int from = 0; from + 1 < tokens.size(); from += window - 1) {
      sum += logProbability(tokens.part(from, Math.min(from + window, tokens.size())));
    }
    if (tokens.size() < 2) {
      return OptionalDouble.empty();
    }
    double perplexity = Math.exp(-sum / (tokens.size() - 1));
    if (!(perplexity <= Double.MAX_VALUE)) {
      throw new BadInputException("a model's perplexity must be finite: found " + perplexity);
    }
    return OptionalDouble.of(Math.max(1, perplexity));
  }

  /** Natural logarithm of the probability of a window's tokens after its first. */
  private double logProbability(Tokens tokens) {
    Answer answer = network.run(tokens);
    if (!answer.is(1, tokens.size(), -1)) {
      throw answer.refused("[1, " + tokens.size() + ", vocabulary], a logit for each next token");
    }
    int vocabulary = (int) answer.shape()[2];
    double sum = 0;
    for (int place = 1; place < tokens.size(); place++) {
      long id = tokens.ids()[place];
      if (id >= vocabulary) {
        throw new BadInputException(
            "the model's first output must have a logit for each token: found "
                + vocabulary
                + " logits, and token "
                + id);
      }
      sum += logProbability(answer.values(), (place - 1) * vocabulary, vocabulary, (int) id);
    }
    return sum;
  }

  private static double logProbability(FloatBuffer logits, int from, int vocabulary, int id) {
    float most = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < vocabulary; i++) {
      most = Math.max(most, logits.get(from + i));
    }
    double sum = 0;
    for (int i = 0; i < vocabulary; i++) {
      sum += Math.exp(logits.get(from + i) - most);
    }
    return logits.get(from + id) - most - Math.log(sum);
  }
}
