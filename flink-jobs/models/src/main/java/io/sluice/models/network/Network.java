package io.sluice.models.network;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.engine.EngineException;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.ParameterStore;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.control.error.BadInputException;
import io.sluice.models.tokenizer.Tokens;
import io.sluice.refine.model.ModelDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A network that is given the tokens of one text and answers with numbers. Each call runs on the
 * thread that makes it, alone, so that the answer depends on the text and the processor's kind
 * only. Safe for use by many threads; its memory outside the heap is given back when nobody has it
 * any more.
 */
public final class Network {
  /** The parameter with a TorchScript network's inputs, in their order; ONNX names them itself. */
  public static final String INPUTS = "inputs";

  private static final Cleaner CLEANER = Cleaner.create();
  private static final Map<String, String> ONE_THREAD =
      Map.of("interOpNumThreads", "1", "intraOpNumThreads", "1", "executionMode", "SEQUENTIAL");

  /** How both engines say that memory could not be had. */
  private static final Pattern NO_MEMORY = Pattern.compile("allocate memory|bad_alloc");

  private final Model network;
  private final List<NetworkInput> inputs;

  private Network(Model network, List<NetworkInput> inputs) {
    this.network = network;
    this.inputs = inputs;
    CLEANER.register(this, network::close);
  }

  /**
   * Loads the network of a directory.
   *
   * @throws BadInputException if it cannot be loaded, or has inputs that nobody here knows
   */
  public static Network open(ModelDirectory directory) {
    NetworkFormat format = NetworkFormat.of(directory);
    byte[] file = directory.file(format.file(), -1);
    if (format == NetworkFormat.ONNX && OnnxFile.namesOthers(file)) {
      throw directory.refused(
          "its weights must be in the one file: found names of files beside it");
    }
    Model network;
    try {
      network = Model.newInstance(directory.kind(), Device.cpu(), Engines.started(format));
      network.load(new ByteArrayInputStream(file), ONE_THREAD);
    } catch (IOException | MalformedModelException | RuntimeException | LinkageError e) {
      throw directory.refused(
          "its network cannot be loaded as " + format.word() + ": " + reason(e));
    }
    List<String> named =
        format == NetworkFormat.ONNX ? network.describeInput().keys() : inputs(directory);
    return new Network(network, known(directory, named));
  }

  /**
   * What the network's first output is for a text.
   *
   * @param tokens at least one
   * @throws BadInputException if it cannot take them, or answers with other numbers than float32
   * @throws OutOfMemoryError if there is none left outside the heap
   */
  public Answer run(Tokens tokens) {
    try (NDManager manager = network.getNDManager().newSubManager()) {
      NDList given = new NDList();
      for (NetworkInput input : inputs) {
        NDArray array = manager.create(input.of(tokens), new Shape(1, tokens.size()));
        array.setName(input.word());
        given.add(array);
      }
      return answer(network.getBlock().forward(new ParameterStore(manager, false), given, false));
    } catch (EngineException | IllegalArgumentException | UnsupportedOperationException e) {
      String reason = reason(e);
      // Of a text that a machine has no memory for now another one, or a later try, can tell.
      if (NO_MEMORY.matcher(reason).find()) {
        throw new OutOfMemoryError("outside the heap, for a network: " + reason);
      }
      throw new BadInputException(
          "the model cannot take a text of " + tokens.size() + " tokens: " + reason, e);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private static Answer answer(NDList outputs) {
    if (outputs.isEmpty()) {
      throw new BadInputException("the model must have an output: found none");
    }
    NDArray first = outputs.head();
    if (first.getDataType() != DataType.FLOAT32) {
      throw new BadInputException(
          "the model's first output must be of float32: found " + first.getDataType());
    }
    ByteBuffer bytes = first.toByteBuffer(false).order(ByteOrder.nativeOrder());
    FloatBuffer values = FloatBuffer.allocate(bytes.remaining() / Float.BYTES);
    return new Answer(first.getShape().getShape(), values.put(bytes.asFloatBuffer()).flip());
  }

  private static List<String> inputs(ModelDirectory directory) {
    List<String> named = new ArrayList<>();
    for (JsonNode input : directory.parameter(INPUTS)) {
      named.add(input.asText());
    }
    return named;
  }

  private static List<NetworkInput> known(ModelDirectory directory, List<String> named) {
    List<NetworkInput> inputs = new ArrayList<>();
    for (NetworkInput input : NetworkInput.values()) {
      if (named.contains(input.word())) {
        inputs.add(input);
      }
    }
    if (inputs.size() != named.size() || !inputs.contains(NetworkInput.INPUT_IDS)) {
      throw directory.refused(
          "its inputs must be input_ids, and none but "
              + NetworkInput.words()
              + ": found "
              + named);
    }
    inputs.sort((a, b) -> named.indexOf(a.word()) - named.indexOf(b.word()));
    return inputs;
  }

  private static String reason(Throwable thrown) {
    Throwable last = thrown;
    while (last.getCause() != null) {
      last = last.getCause();
    }
    return String.valueOf(last.getMessage());
  }
}
