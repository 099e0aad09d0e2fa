package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.models.text.Pooling;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice embedder import}. */
@Command(
    name = "import",
    description = {
      "Take a neural embedder of texts, once it has been tried, for 'cluster fit --embedder'.",
      "Its first output must be the text's vector, [1, dimension], or one for each token, [1,"
          + " tokens, dimension], of up to 1024 numbers. A longer text is cut."
    })
final class EmbedderImportCommand extends CliCommand {
  @Mixin private NetworkFiles files = new NetworkFiles();

  @Option(
      names = "--pooling",
      defaultValue = "mean",
      paramLabel = "HOW",
      description =
          "What is made of the vectors of tokens: mean, or cls, the first one. Default:"
              + " ${DEFAULT-VALUE}.")
  private Pooling pooling = Pooling.MEAN;

  @Option(
      names = "--raw",
      description = "Leave vectors as long as they are; else their length is made 1.")
  private boolean raw;

  @Override
  public void run() {
    files.tell(out(), files.read().embedder(pooling, !raw, files.out()));
  }
}
