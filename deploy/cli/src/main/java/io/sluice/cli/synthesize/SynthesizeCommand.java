package io.sluice.cli.synthesize;

import io.sluice.cli.model.TextInput;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.error.CheckFailedException;
import io.sluice.control.error.UnreachableException;
import io.sluice.refine.synthesis.AnswerStore;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Outcome;
import io.sluice.refine.synthesis.Recipe;
import io.sluice.refine.synthesis.Seed;
import io.sluice.refine.synthesis.Synthesizer;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.TokenBudget;
import io.sluice.refine.synthesis.store.AnswerFile;
import io.sluice.schema.Document;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice synthesize}. */
@Command(
    name = "synthesize",
    description = {
      "Have a model make documents of questions and answers of other documents, as Llama-3-SynE"
          + " does.",
      "What it has answered is kept: the same command goes on where it was stopped, whatever"
          + " stopped it, asks nothing twice, and ends with the same file."
    })
public final class SynthesizeCommand extends CliCommand {
  private static final long TELLING = Duration.ofSeconds(10).toNanos();
  private static final int SHOWN = 5;

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders of seeds.")
  private List<String> paths = new ArrayList<>();

  @Mixin private TextInput input = new TextInput();
  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private RecipeOptions recipes = new RecipeOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Where the documents go, as lines of JSON.")
  private Path file = Path.of("");

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description =
          "Where answers are kept, and what they cost. Default: the file of --out and '.answers'.")
  private @Nullable Path answers;

  @Option(
      names = "--budget-tokens",
      paramLabel = "N",
      description =
          "Most tokens of prompts and answers, of all commands with the same file of answers.")
  private @Nullable Long tokens;

  @Mixin private JsonFile json = new JsonFile();

  private long told;
  private long refusals;

  @Override
  public void run() {
    Template template = recipes.template();
    Map<String, String> values = recipes.values(template);
    Recipe recipe = recipes.recipe(template, endpoints.model(), endpoints.isRule());
    Endpoint endpoint = endpoints.endpoint(prompt -> template.documentOf(prompt, values));
    Path kept = answers == null ? file.resolveSibling(file.getFileName() + ".answers") : answers;
    if (Files.exists(file) && !Files.exists(kept)) {
      throw new BadInputException(
          "--out must not be there yet, or have its answers with it: " + file + " without " + kept);
    }
    try (AnswerFile store = AnswerFile.open(kept);
        DocumentFile documents = DocumentFile.open(file)) {
      SynthesisReport report = made(recipe, endpoint, store, documents);
      json.write(report);
      print(report.lines());
      if (report.left() > 0) {
        throw new CheckFailedException(
            "--budget-tokens ended it before "
                + report.left()
                + " seeds: "
                + file
                + " has what came before; with a larger one the same command goes on");
      }
    }
  }

  private SynthesisReport made(
      Recipe recipe, Endpoint endpoint, AnswerStore store, DocumentFile documents) {
    TokenBudget budget =
        new TokenBudget(tokens == null ? TokenBudget.UNLIMITED : tokens, store.spent());
    try (Synthesizer synthesizer =
        new Synthesizer(
            recipe,
            endpoint,
            store,
            budget,
            endpoints.pace(),
            endpoints.tries(recipes.seed()),
            endpoints.refusesFailed(),
            outcome -> take(outcome, documents))) {
      input.read(paths, err(), document -> accept(synthesizer, budget, document));
      SynthesisReport report = SynthesisReport.of(synthesizer.finish(), budget);
      documents.place();
      return report;
    } catch (UnreachableException e) {
      documents.place();
      notice(file + " has what came before");
      throw e;
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private void accept(Synthesizer synthesizer, TokenBudget budget, Document document) {
    try {
      synthesizer.accept(new Seed(document.getId(), document.getText()));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    long now = System.nanoTime();
    if (told == 0) {
      told = now;
    } else if (now - told > TELLING) {
      told = now;
      notice(SynthesisReport.of(synthesizer.tally(), budget).progress());
    }
  }

  private void take(Outcome outcome, DocumentFile documents) {
    if (outcome instanceof Outcome.Made made) {
      documents.add(made);
    } else if (outcome instanceof Outcome.Refused no && refusals++ < SHOWN) {
      notice("no document of " + no.seed() + ": " + no.kind() + detail(no));
    }
  }

  private static String detail(Outcome.Refused no) {
    return no.detail().isEmpty() ? "" : ": " + no.detail();
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }
}
