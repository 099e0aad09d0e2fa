package io.sluice.cli.model;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.targets.BenchmarkGrams;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sluice benchmark index}. */
@Command(
    name = "index",
    description = {
      "Take the runs of 13 words of benchmarks' texts, for the step 'benchmark' of a refinery.",
      "A shorter text counts as one run of all its words if it has 8 of them."
    })
final class BenchmarkIndexCommand extends CliCommand {
  @Mixin private ClassifierLabels texts = new ClassifierLabels();

  @Mixin private NewModel out = new NewModel();

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    BenchmarkGrams.Builder builder = BenchmarkGrams.builder();
    long[] tooShort = {0};
    texts.read(err(), (name, text) -> tooShort[0] += builder.add(name, text) ? 0 : 1);
    BenchmarkGrams grams = builder.build();
    ModelDirectory written = grams.write(out.directory());
    json.write(
        new Indexed(
            grams.size(),
            List.copyOf(grams.benchmarks()),
            tooShort[0],
            written.hash(),
            String.valueOf(out.directory())));
    if (tooShort[0] > 0) {
      notice(tooShort[0] + " texts have less than 8 words, and are left out");
    }
    out()
        .printf(
            Locale.ROOT,
            "%,d runs of words of %s; model %s in %s%n",
            grams.size(),
            String.join(", ", grams.benchmarks()),
            written.hash().substring(0, 16),
            out.directory());
  }

  /**
   * What was written.
   *
   * @param runs of words
   * @param tooShort texts that are left out
   */
  private record Indexed(
      long runs, List<String> benchmarks, long tooShort, String model, String directory) {}
}
