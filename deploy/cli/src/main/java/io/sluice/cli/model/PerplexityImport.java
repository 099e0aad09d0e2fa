package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice perplexity import}. */
@Command(
    name = "import",
    description = {
      "Take a neural causal language model, once it has been tried.",
      "Its first output must have a logit for each token that may come next, [1, tokens,"
          + " vocabulary]. A text is cut into windows of --max-tokens with one token in common."
    })
final class PerplexityImport extends CliCommand {
  @Mixin private NetworkFiles files = new NetworkFiles();

  @Option(
      names = "--windows",
      defaultValue = "8",
      paramLabel = "N",
      description =
          "Windows of a text's beginning that count in its perplexity, 1 to 4096. Default:"
              + " ${DEFAULT-VALUE}.")
  private int windows;

  @Override
  public void run() {
    files.tell(out(), files.read().perplexity(windows, files.out()));
  }
}
