package io.sluice.cli.synthesize;

import io.sluice.cli.endpoint.AnswersReport;
import io.sluice.cli.endpoint.DocumentFile;
import io.sluice.cli.endpoint.Questions;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.options.WritableFile;
import io.sluice.cli.text.TextInput;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Recipe;
import io.sluice.refine.synthesis.Template;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders of seeds.")
  private List<String> paths = new ArrayList<>();

  @Mixin private TextInput input = new TextInput();
  @Mixin private Questions questions = new Questions();
  @Mixin private RecipeOptions recipes = new RecipeOptions();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Where the documents go, as lines of JSON.")
  private Path file = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    Template template = recipes.template();
    Map<String, String> values = recipes.values(template);
    boolean rule = questions.endpoint().isRule();
    Recipe recipe = recipes.recipe(template, questions.endpoint().model(), rule);
    Endpoint endpoint =
        questions.endpoint().endpoint(prompt -> template.documentOf(prompt, values));
    AnswersReport report =
        questions.ask(
            recipe,
            endpoint,
            file,
            recipes.seed(),
            documents -> input.read(paths, err(), documents),
            () -> DocumentFile.open(file),
            this::notice);
    json.write(report);
    print(report.lines());
    report.requireWhole(file);
  }
}
