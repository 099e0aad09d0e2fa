package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.plot.TextTable;
import io.sluice.cli.text.TextInput;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.bucket.QuantileSketch;
import io.sluice.refine.model.Models;
import io.sluice.refine.perplexity.PerplexityModel;
import io.sluice.refine.text.Words;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice perplexity show}. */
@Command(
    name = "show",
    description =
        "Show how the perplexities of texts lie, by a model that 'train' or 'import' wrote.")
final class PerplexityShow extends CliCommand {
  private static final int[] PERCENTS = {0, 1, 10, 25, 50, 75, 90, 99, 100};

  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "Directory of the model.")
  private Path directory = Path.of("");

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Files, folders, or objects of a bucket.")
  private List<String> paths = List.of();

  @Mixin private TextInput input = new TextInput();
  @Mixin private JsonFile json = new JsonFile();

  /** So many percent of the documents have at most this perplexity. */
  record Percentile(int percent, double perplexity) {}

  /**
   * What was found.
   *
   * @param withoutWords documents that have no perplexity
   * @param median of the other documents
   */
  record Report(long documents, long withoutWords, double median, List<Percentile> percentiles) {}

  @Override
  public void run() {
    PerplexityModel model = Models.open(directory, PerplexityModel.class);
    QuantileSketch sketch = new QuantileSketch();
    long documents =
        input.read(
            paths,
            err(),
            document -> {
              String text = document.getText();
              OptionalDouble found = model.perplexity(text, Words.of(text));
              found.ifPresent(perplexity -> sketch.add(perplexity, 1));
            });
    if (sketch.total() == 0) {
      throw new BadInputException("the texts of " + paths + " must have words");
    }
    List<Percentile> percentiles = new ArrayList<>();
    for (int percent : PERCENTS) {
      percentiles.add(new Percentile(percent, sketch.quantiles(percent / 100.0)[0]));
    }
    double median = sketch.quantiles(0.5)[0];
    Report report = new Report(documents, documents - sketch.total(), median, percentiles);
    json.write(report);
    print(lines(report));
  }

  private static List<String> lines(Report report) {
    TextTable table = new TextTable(List.of("percent of documents", "perplexity up to"));
    for (Percentile each : report.percentiles) {
      table.add(List.of("" + each.percent, TextTable.fixed(1, each.perplexity)));
    }
    List<String> lines = new ArrayList<>();
    lines.add("documents: %,d".formatted(report.documents));
    lines.add("without words: %,d".formatted(report.withoutWords));
    lines.add("median: " + TextTable.fixed(1, report.median));
    lines.addAll(table.lines());
    return lines;
  }
}
