package io.sluice.models.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.control.error.BadInputException;
import io.sluice.models.network.Network;
import io.sluice.models.network.NetworkFormat;
import io.sluice.models.tokenizer.TextTokenizer;
import io.sluice.refine.classify.Labels;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.text.Words;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Takes a network and its tokenizer into a model's directory, once it has stood a {@link Trial}.
 */
public final class NeuralImport {
  /** What an array can have. */
  private static final long LARGEST = Integer.MAX_VALUE - 64L;

  private final Path network;
  private final Trial trial;
  private final ObjectNode parameters;
  private final Map<String, byte[]> files;

  /**
   * Reads the files.
   *
   * @param inputs of a TorchScript network, in their order; ONNX names its own
   * @param maxTokens that it is given at once, at most
   * @throws BadInputException if one cannot be read
   */
  public NeuralImport(Path network, Path tokenizer, List<String> inputs, int maxTokens) {
    NetworkFormat format = NetworkFormat.of(network);
    this.network = network;
    trial = new Trial(network, maxTokens);
    parameters =
        ModelDirectory.parameters()
            .put(NeuralParameters.VERSION, 1)
            .put(NetworkFormat.key(), format.word())
            .put(NeuralParameters.TOKENS, maxTokens);
    if (format == NetworkFormat.TORCHSCRIPT) {
      inputs.forEach(parameters.putArray(Network.INPUTS)::add);
    }
    files = Map.of(format.file(), read(network), TextTokenizer.FILE, read(tokenizer));
  }

  /**
   * Makes a classifier's directory.
   *
   * @param labels in the order of the network's outputs
   * @throws BadInputException if the network is no such classifier
   */
  public ModelDirectory classifier(List<String> labels, Path out) {
    labels.forEach(parameters.putArray(Labels.KEY)::add);
    NeuralClassifier tried = new NeuralClassifier(model(NeuralClassifier.KIND));
    trial.of(tried::classify);
    return ModelDirectory.write(out, NeuralClassifier.KIND, parameters, files);
  }

  /**
   * Makes an embedder's directory.
   *
   * @param pooling of the vectors of tokens, where the network gives those
   * @param normalised whether vectors are made 1 long
   * @throws BadInputException if the network is no such embedder
   */
  public ModelDirectory embedder(Pooling pooling, boolean normalised, Path out) {
    ModelDirectory first = model(NeuralEmbedder.KIND);
    int most = NeuralParameters.tokens(first);
    TextTokenizer tokenizer = TextTokenizer.cutting(first, most);
    Network opened = Network.open(first);
    long[] shape = trial.answer(text -> opened.run(tokenizer.encode(text)), Trial.TEXT).shape();
    parameters
        .put(NeuralEmbedder.DIMENSION, shape.length == 0 ? 0 : (int) shape[shape.length - 1])
        .put(NeuralEmbedder.POOLING, pooling.word())
        .put(NeuralEmbedder.NORMALISED, normalised);
    NeuralEmbedder tried = new NeuralEmbedder(model(NeuralEmbedder.KIND));
    trial.of(text -> FloatBuffer.wrap(tried.embed(text)));
    return ModelDirectory.write(out, NeuralEmbedder.KIND, parameters, files);
  }

  /**
   * Makes a language model's directory.
   *
   * @param windows of a text that count, at most
   * @throws BadInputException if the network is no such model
   */
  public ModelDirectory perplexity(int windows, Path out) {
    parameters.put(NeuralPerplexity.WINDOWS, windows);
    NeuralPerplexity tried = new NeuralPerplexity(model(NeuralPerplexity.KIND));
    trial.of(text -> tried.perplexity(text, Words.of(text)));
    return ModelDirectory.write(out, NeuralPerplexity.KIND, parameters, files);
  }

  private ModelDirectory model(String kind) {
    return ModelDirectory.unwritten(network, kind, parameters, files);
  }

  private static byte[] read(Path file) {
    try {
      long size = Files.size(file);
      if (size > LARGEST) {
        throw new BadInputException(
            "a model's file must have at most " + LARGEST + " bytes: " + file + " has " + size);
      }
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new BadInputException("a model's file cannot be read: " + e, e);
    }
  }
}
