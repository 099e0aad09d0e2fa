package io.sluice.cli.model;

import io.sluice.cli.options.JsonFile;
import io.sluice.models.text.NeuralImport;
import io.sluice.refine.model.ModelDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which files a command makes a neural model of, and where. */
final class NetworkFiles {
  @Option(
      names = "--model",
      required = true,
      paramLabel = "FILE",
      description = "The network: one file of ONNX (.onnx) or TorchScript (.pt).")
  private Path network = Path.of("");

  @Option(
      names = "--tokenizer",
      required = true,
      paramLabel = "FILE",
      description = "The tokenizer.json that it was trained with.")
  private Path tokenizer = Path.of("");

  @Option(
      names = "--inputs",
      split = ",",
      defaultValue = "input_ids,attention_mask",
      paramLabel = "NAME",
      description =
          "What a TorchScript network takes, in its order: input_ids, attention_mask,"
              + " token_type_ids, position_ids. ONNX says it itself. Default: ${DEFAULT-VALUE}.")
  private List<String> inputs = List.of();

  @Option(
      names = "--max-tokens",
      defaultValue = "512",
      paramLabel = "N",
      description =
          "Tokens that it is given at once, at most, 2 to 32768. Default: ${DEFAULT-VALUE}.")
  private int maxTokens;

  @Mixin private NewModel out = new NewModel();

  @Mixin private JsonFile json = new JsonFile();

  /** Where the model is written. */
  Path out() {
    return out.directory();
  }

  /** The files, read. */
  NeuralImport read() {
    out.requireNew();
    return new NeuralImport(network, tokenizer, inputs, maxTokens);
  }

  /** Says what was written. */
  void tell(PrintWriter out, ModelDirectory written) {
    json.write(new Written(written.hash(), written.kind(), String.valueOf(written.directory())));
    out.printf("model %s: a %s in %s%n", written.hash(), written.kind(), written.directory());
  }

  /** A model that was written. */
  private record Written(String model, String kind, String directory) {}
}
