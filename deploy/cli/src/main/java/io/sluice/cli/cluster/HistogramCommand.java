package io.sluice.cli.cluster;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.text.TextInput;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.ClusterTree;
import io.sluice.refine.cluster.Histogram;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice histogram}. */
@Command(
    name = "histogram",
    description = {
      "Count how many texts of files fall to each cluster of a model.",
      "With --weights, print what a run's file takes to give domains the weights of these texts."
    })
public final class HistogramCommand extends CliCommand {
  /** Which clusters texts are counted by. */
  enum By {
    LEAF,
    TOP
  }

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files, folders or s3:// objects.")
  private List<String> paths = List.of();

  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The model, a directory that 'cluster fit' wrote.")
  private Path directory = Path.of("");

  @Option(
      names = "--by",
      defaultValue = "leaf",
      paramLabel = "CLUSTERS",
      description = "leaf (clusters of the lowest level) or top (of the first). Default: leaf.")
  private By by = By.LEAF;

  @Option(
      names = "--weights",
      paramLabel = "PATTERN",
      description =
          "Print settings of the policies importance-sampling and dga-distribution instead. Domains"
              + " are called as PATTERN, such as c{cluster}.")
  private @Nullable String pattern;

  @Option(
      names = "--basis",
      defaultValue = "target",
      paramLabel = "NAME",
      description = "What --weights calls the distribution for dga-distribution. Default: target.")
  private String basis = "target";

  @Mixin private TextInput input = new TextInput();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    HistogramNames names =
        pattern == null ? null : new HistogramNames(pattern, HistogramNames.checked(basis));
    ClusterModel model = ClusterModel.open(directory);
    Histogram leaves = new ClusterCounts(model, input, err()).of(paths);
    ClusterTree tree = model.tree();
    int level = by == By.LEAF ? tree.levels() : 1;
    Histogram histogram = leaves.above(tree, level);
    json.write(histogram.json());
    HistogramReport report = new HistogramReport(histogram, tree.clusters(level));
    print(names == null ? report.lines() : report.settings(names));
  }
}
