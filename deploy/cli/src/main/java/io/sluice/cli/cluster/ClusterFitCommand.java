package io.sluice.cli.cluster;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.text.TextInput;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.cluster.ClusterModel;
import io.sluice.refine.cluster.ClusterTree;
import io.sluice.refine.cluster.DocumentFrequencies;
import io.sluice.refine.cluster.Embedder;
import io.sluice.refine.cluster.HashedEmbedder;
import io.sluice.refine.cluster.Hierarchy;
import io.sluice.refine.cluster.LevelSummary;
import io.sluice.refine.cluster.StorableEmbedder;
import io.sluice.refine.cluster.StoredEmbedder;
import io.sluice.refine.cluster.VectorSample;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.schema.Document;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice cluster fit}. */
@Command(
    name = "fit",
    description = {
      "Divide the texts of files into clusters, and those into clusters again.",
      "Texts are near to each other that share words, pairs of words and runs of characters, or by"
          + " an embedder of yours. Without one, the files are read twice: first to count in how"
          + " many texts each of these is."
    })
final class ClusterFitCommand extends CliCommand {
  private static final int PROGRESS = 10_000;

  /** The first reading does not say what could not be used; the second one does. */
  private static final PrintWriter QUIET = new PrintWriter(Writer.nullWriter());

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files, folders or s3:// objects.")
  private List<String> paths = List.of();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where the model is written; it must not be there yet.")
  private Path directory = Path.of("");

  @Option(
      names = "--branching",
      defaultValue = "64",
      paramLabel = "N",
      description = "Most clusters of a cluster, 2 to 1024. Default: 64.")
  private int branching = 64;

  @Option(
      names = "--levels",
      defaultValue = "2",
      paramLabel = "N",
      description = "How often clusters are divided, 1 to 3. Default: 2.")
  private int levels = 2;

  @Option(
      names = "--dimension",
      defaultValue = "256",
      paramLabel = "N",
      description = "Length of the vectors, 1 to 1024. Default: 256.")
  private int dimension = HashedEmbedder.DIMENSION;

  @Option(
      names = "--embedder",
      paramLabel = "DIR",
      description =
          "An embedder that 'sluice embedder import' wrote, which makes the vectors; the model gets"
              + " a copy of it. --dimension and --no-idf do not count then.")
  private @Nullable Path ownEmbedder;

  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "N",
      description = "Of the sample and of the first centres. Default: 1.")
  private long seed = 1;

  @Option(
      names = "--sample",
      defaultValue = "1000000",
      paramLabel = "N",
      description =
          "Most texts whose vectors are used, by their hashes; a million of 256 numbers take 1 GB"
              + " of the heap. Default: 1000000.")
  private int most = 1_000_000;

  @Option(
      names = "--no-idf",
      description =
          "Let words that all texts have weigh as much as others; files are then read once.")
  private boolean unweighted;

  @Mixin private TextInput input = new TextInput();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    ClusterTree.checkShape(branching, levels);
    if (Files.exists(directory.resolve(ModelDirectory.MODEL))) {
      throw new BadInputException("--out must not be there yet: " + directory);
    }
    VectorSample sample = new VectorSample(most, seed);
    StorableEmbedder embedder = embedder();
    long documents = embed(embedder, sample);
    Hierarchy fit = Hierarchy.fit(sample.vectors(), branching, levels, seed, this::tell);
    ClusterModel model =
        ClusterModel.write(
            directory,
            fit.tree(),
            embedder,
            new ClusterModel.Fit(documents, sample.size(), fit.levels()));
    ClusterReport report = ClusterReport.of(model);
    json.write(report);
    print(report.lines());
  }

  private StorableEmbedder embedder() {
    if (ownEmbedder != null) {
      return StoredEmbedder.open(ownEmbedder);
    }
    HashedEmbedder plain = HashedEmbedder.unweighted(dimension, HashedEmbedder.CHARACTERS);
    if (unweighted) {
      return plain;
    }
    DocumentFrequencies frequencies = new DocumentFrequencies(HashedEmbedder.CHARACTERS);
    long documents = read("counted words of", QUIET, frequencies::add);
    notice("counted words of " + documents + " documents");
    return frequencies.embedder(dimension);
  }

  private long embed(Embedder embedder, VectorSample sample) {
    long room = Runtime.getRuntime().maxMemory() / 2 / (Float.BYTES * (embedder.dimension() + 24L));
    ClusterTexts texts =
        new ClusterTexts(
            embedder,
            (text, vector) -> {
              if (sample.size() >= room && sample.size() < most) {
                throw new BadInputException(
                    "--sample must be at most "
                        + room
                        + ", which half of the heap has room for: found "
                        + most);
              }
              sample.add(sample.hash(text), vector);
            });
    long documents =
        read(
            "embedded",
            err(),
            text -> {
              if (sample.wants(sample.hash(text))) {
                texts.add(text);
              }
            });
    texts.flush();
    notice("embedded " + documents + " documents, of which " + sample.size() + " are used");
    return documents;
  }

  private long read(String done, PrintWriter notices, Consumer<String> texts) {
    Consumer<Document> counting =
        new Consumer<>() {
          private long documents;

          @Override
          public void accept(Document document) {
            texts.accept(document.getText());
            if (++documents % PROGRESS == 0) {
              notice(done + " " + documents + " documents so far");
            }
          }
        };
    return input.read(paths, notices, counting);
  }

  private void tell(LevelSummary level) {
    notice("divided into " + level.clusters() + " clusters");
  }
}
