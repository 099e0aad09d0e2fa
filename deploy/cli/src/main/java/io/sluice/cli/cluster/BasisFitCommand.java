package io.sluice.cli.cluster;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.text.NamedPaths;
import io.sluice.cli.text.TextInput;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.basis.BasisModel;
import io.sluice.refine.basis.GenericTopics;
import io.sluice.refine.basis.Resampling;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.Histogram;
import io.sluice.refine.model.ModelDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice basis fit}. */
@Command(
    name = "fit",
    description = {
      "Make topics of a pool's documents, each of which follows the clusters of other texts.",
      "A document is drawn for a topic in proportion to the topic's share of its cluster over the"
          + " pool's. The pool's texts are those that the refinery will read, or like them."
    })
final class BasisFitCommand extends CliCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "POOL",
      description = "Files, folders or s3:// objects with the documents that are resampled.")
  private List<String> pool = List.of();

  @Option(
      names = "--topic",
      paramLabel = "NAME=PATH",
      description =
          "A topic and a file, folder or object with texts whose distribution it follows. To be"
              + " repeated; a topic may have several.")
  private List<String> topics = new ArrayList<>();

  @Option(
      names = "--topics",
      paramLabel = "N",
      description =
          "Make so many topics of clusters that are near to each other, too: g0, g1 and so on. For"
              + " want of texts that others could follow.")
  private int groups;

  @Option(
      names = "--model",
      required = true,
      paramLabel = "DIR",
      description = "The clusters, a directory that 'cluster fit' wrote.")
  private Path clusters = Path.of("");

  @Option(
      names = "--scale",
      paramLabel = "X",
      description =
          "Copies that a topic is to have, as a share of the pool's documents, above 0 to 1000."
              + " Default: all topics together have as many as the pool.")
  private @Nullable Double scale;

  @Option(
      names = "--max-copies",
      paramLabel = "N",
      description = "Most copies of a document in a topic, 1 to 1000. Default: 8.")
  private int maxCopies = Resampling.MAX_COPIES;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the draws, and of the groups of clusters. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the model is written; it must not be there yet.")
  private Path out = Path.of("");

  @Mixin private TextInput input = new TextInput();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Map<String, List<String>> named = NamedPaths.of("--topic", topics);
    if (named.isEmpty() && groups < 1) {
      throw new BadInputException("--topic or --topics must say at least 1 topic: found none");
    }
    Resampling resampling = new Resampling(scale(named.size() + groups), maxCopies, seed);
    if (Files.exists(out.resolve(ModelDirectory.MODEL))) {
      throw new BadInputException("--out must not be there yet: " + out);
    }
    ClusterModel model = ClusterModel.open(clusters);
    ClusterCounts counts = new ClusterCounts(model, input, err());
    Histogram there = counts.of(pool);
    SortedMap<String, Histogram> basis = new TreeMap<>();
    if (groups > 0) {
      basis.putAll(GenericTopics.of(model.tree(), there, groups, seed));
    }
    named.forEach(
        (name, paths) -> {
          if (basis.put(name, counts.of(paths)) != null) {
            throw new BadInputException("--topic must have another name beside --topics: " + name);
          }
        });
    BasisReport report = BasisReport.of(BasisModel.write(out, there, basis, resampling));
    json.write(report);
    print(report.lines());
  }

  private double scale(int wanted) {
    return scale == null ? 1.0 / wanted : scale;
  }
}
