package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.plot.TextTable;
import io.sluice.cli.text.TextInput;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.perplexity.NgramModel;
import io.sluice.refine.perplexity.NgramSettings;
import io.sluice.refine.perplexity.NgramTrainer;
import io.sluice.refine.text.Words;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice perplexity train}. */
@Command(
    name = "train",
    description = "Count runs of words of texts, and write a model of them into a directory.")
final class PerplexityTrain extends CliCommand {
  /** More held-out words than these are trained on: they say nothing new. */
  private static final long MOST_HELD_OUT = 4L << 20;

  @Parameters(
      arity = "1..*",
      paramLabel = "PATH",
      description = "Files, folders, or objects of a bucket.")
  private List<String> paths = List.of();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Directory for the model, which must not be there yet, or be empty.")
  private Path directory = Path.of("");

  @Option(
      names = "--order",
      defaultValue = "3",
      paramLabel = "WORDS",
      description = "Words of the longest runs, 1 to 5. Default: ${DEFAULT-VALUE}.")
  private int order;

  @Option(
      names = "--most-ngrams",
      defaultValue = "8000000",
      paramLabel = "COUNT",
      description =
          "Runs that the model keeps at most, of all lengths; the rarest give way. Each takes 16"
              + " bytes in a file. Default: ${DEFAULT-VALUE}.")
  private int mostNgrams;

  @Option(
      names = "--first-words",
      defaultValue = "4096",
      paramLabel = "WORDS",
      description =
          "Words of a text's beginning that count in its perplexity. Default: ${DEFAULT-VALUE}.")
  private int firstWords;

  @Option(
      names = "--held-out",
      defaultValue = "0.05",
      paramLabel = "SHARE",
      description =
          "Share of the texts, by their hashes, that the model is tried on instead, from 0 to 0.5."
              + " Default: ${DEFAULT-VALUE}.")
  private double share;

  @Mixin private TextInput input = new TextInput();
  @Mixin private JsonFile json = new JsonFile();

  private final List<Words> heldOut = new ArrayList<>();
  private long heldOutWords;

  /**
   * What was made.
   *
   * @param ngrams by their length from 1
   * @param heldOutPerplexity per word of all held-out texts together; null without any
   */
  record Report(
      long documents,
      long words,
      List<Integer> ngrams,
      int heldOutDocuments,
      @Nullable Double heldOutPerplexity,
      String hash) {}

  @Override
  public void run() {
    if (!(share >= 0 && share <= 0.5)) {
      throw new BadInputException("--held-out must be a number from 0 to 0.5: " + share);
    }
    NgramSettings settings = new NgramSettings(order, mostNgrams, firstWords);
    if (Files.exists(directory.resolve("model.json"))) {
      throw new BadInputException("--out must not have a model yet: " + directory);
    }
    NgramTrainer trainer = new NgramTrainer(settings);
    long documents = input.read(paths, err(), document -> take(trainer, document.getText()));
    if (trainer.words() == 0) {
      throw new BadInputException("the texts of " + paths + " must have words to train on");
    }
    NgramModel model = trainer.model();
    Double perplexity = heldOutPerplexity(model);
    String hash = model.write(directory).hash();
    Report report =
        new Report(documents, model.words(), model.ngrams(), heldOut.size(), perplexity, hash);
    json.write(report);
    print(lines(report));
  }

  private void take(NgramTrainer trainer, CharSequence text) {
    Words words = Words.of(text);
    // Copies of a text go the same way, so that none is tried on what it was trained on.
    long hash = Words.mixed(words.gram(0, words.size()));
    boolean chosen = (hash >>> 11) * 0x1p-53 < share;
    if (chosen && words.size() > 0 && heldOutWords + words.size() <= MOST_HELD_OUT) {
      heldOut.add(words);
      heldOutWords += words.size();
    } else {
      trainer.add(words);
    }
  }

  private @Nullable Double heldOutPerplexity(NgramModel model) {
    double sum = 0;
    long scored = 0;
    for (Words text : heldOut) {
      sum += model.logProbability(text);
      scored += model.scored(text);
    }
    return scored == 0 ? null : Math.exp(-sum / scored);
  }

  private List<String> lines(Report report) {
    List<String> lines = new ArrayList<>();
    lines.add("documents: %,d".formatted(report.documents));
    lines.add("words trained on: %,d".formatted(report.words));
    lines.add("vocabulary: %,d words".formatted(report.ngrams.get(0)));
    for (int length = 2; length <= report.ngrams.size(); length++) {
      lines.add("runs of %d words: %,d".formatted(length, report.ngrams.get(length - 1)));
    }
    lines.add(
        report.heldOutPerplexity == null
            ? "held-out perplexity: -, no text was held out"
            : "held-out perplexity: "
                + TextTable.fixed(1, report.heldOutPerplexity)
                + String.format(Locale.ROOT, " of %,d documents", report.heldOutDocuments));
    lines.add("model: " + report.hash);
    return lines;
  }
}
