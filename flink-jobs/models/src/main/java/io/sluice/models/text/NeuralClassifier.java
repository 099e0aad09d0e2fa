package io.sluice.models.text;

import io.sluice.models.network.Answer;
import io.sluice.models.network.Network;
import io.sluice.models.tokenizer.TextTokenizer;
import io.sluice.models.tokenizer.Tokens;
import io.sluice.refine.classify.Classification;
import io.sluice.refine.classify.Labels;
import io.sluice.refine.classify.Softmax;
import io.sluice.refine.classify.TextClassifier;
import io.sluice.refine.model.ModelDirectory;
import java.util.Arrays;
import java.util.List;

/**
 * A neural classifier of texts, such as Llama-3-SynE's of topics, section 4.1.1: a network whose
 * first output has a logit for each label, [1, labels]. Of a text without a token all labels have
 * the same probability.
 */
final class NeuralClassifier implements TextClassifier {
  static final String KIND = "neural-classifier";

  private final Network network;
  private final TextTokenizer tokenizer;
  private final List<String> labels;
  private final int most;

  /** Reads one, without a trial. */
  NeuralClassifier(ModelDirectory model) {
    labels = Labels.of(model);
    most = NeuralParameters.tokens(model);
    tokenizer = TextTokenizer.cutting(model, most);
    network = Network.open(model);
  }

  @Override
  public List<String> labels() {
    return labels;
  }

  @Override
  public Classification classify(String text) {
    float[] logits = logits(tokenizer.encode(text));
    double[] probabilities = new double[logits.length];
    Arrays.setAll(probabilities, label -> logits[label]);
    Softmax.normalise(probabilities);
    return Classification.of(labels, probabilities);
  }

  @Override
  public List<Integer> texts() {
    return List.of();
  }

  @Override
  public String summary() {
    return labels.size() + " labels, neural, of a text's first " + most + " tokens";
  }

  private float[] logits(Tokens tokens) {
    if (tokens.size() == 0) {
      return new float[labels.size()];
    }
    Answer answer = network.run(tokens);
    if (!answer.is(1, labels.size())) {
      throw answer.refused("[1, " + labels.size() + "], a logit for each of " + labels);
    }
    return answer.finite();
  }
}
