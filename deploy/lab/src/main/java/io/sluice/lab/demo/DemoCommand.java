package io.sluice.lab.demo;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.demo.recipe.RecipePage;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice demo}. */
@Command(
    name = "demo",
    description = {
      "The whole loop on this machine: a broker, both Flink jobs, and a small GPT that trains on the"
          + " mixed stream while its held-out losses move the mixture.",
      ""
    })
public final class DemoCommand extends CliCommand {
  @Option(
      names = "--recipe",
      paramLabel = "NAME",
      description =
          "Go through a page of docs/recipes instead, line by line: syne or dga, each the whole"
              + " pipeline of a paper. Only --state-dir, --port, --json and --debug go with it.")
  private @Nullable String recipe;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description = "A folder with one sub-folder per domain. Default: this project's own files.")
  private @Nullable Path corpus;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "A policy that a run may name. Default: ${DEFAULT-VALUE}.")
  private String policy = "velocitune";

  @Option(
      names = "--steps",
      paramLabel = "N",
      description = "Optimizer steps. Default: ${DEFAULT-VALUE}.")
  private int steps = 60;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "Sequences per step. Default: ${DEFAULT-VALUE}.")
  private int batch = 16;

  @Option(
      names = "--sequence-length",
      paramLabel = "N",
      description = "Tokens per sequence. Default: ${DEFAULT-VALUE}.")
  private int sequenceLength = 128;

  @Option(
      names = "--every",
      paramLabel = "N",
      description = "Steps between two rounds. Default: ${DEFAULT-VALUE}.")
  private int every = 10;

  @Option(
      names = "--lag",
      paramLabel = "N",
      description = "Batches that a round's weights wait. Default: ${DEFAULT-VALUE}.")
  private int lag = 0;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting of the policy, as in a run's file: target-fraction=0.5.")
  private Map<String, String> policySettings = new TreeMap<>();

  @Option(
      names = "--target-domains",
      paramLabel = "NAMES",
      split = ",",
      description = "What gradients are compared with, for policies that ask. Default: the first.")
  private List<String> targetDomains = new ArrayList<>();

  @Option(
      names = "--new-weight",
      paramLabel = "B",
      description = "EMA: share of the new weights in each round. Default: ${DEFAULT-VALUE}.")
  private double newWeight = 1.0;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of data order, mixture and model. Default: ${DEFAULT-VALUE}.")
  private long seed = 42;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Send the losses of an earlier demo's --json file instead of training a model.")
  private @Nullable Path replay;

  @Option(
      names = "--state-dir",
      paramLabel = "DIR",
      description =
          "Emptied, then holds the demo's log and checkpoints. Default: demo in $SLUICE_HOME.")
  private @Nullable Path stateDirectory;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of the broker; 0 for any free one. Default: ${DEFAULT-VALUE}.")
  private int port = 0;

  @Mixin private JsonFile json = new JsonFile();

  @Option(names = "--no-ui", description = "Plain lines instead of a table that is drawn in place.")
  private boolean noUi;

  @Override
  public void run() {
    Path project = Path.of(System.getProperty("sluice.project", ".")).toAbsolutePath().normalize();
    Path directory = stateDirectory == null ? global().home().resolve("demo") : stateDirectory;
    if (recipe == null) {
      train(project, directory);
      return;
    }
    List<String> idle = RecipeDemo.idle(spec());
    if (!idle.isEmpty()) {
      throw misused(String.join(", ", idle) + " must not stand with --recipe");
    }
    Path launcher = Path.of(System.getProperty("sluice.launcher", project + "/sluice"));
    new RecipeDemo(RecipePage.read(project, recipe), project, launcher, directory, port, out())
        .run()
        .ifPresent(json::write);
  }

  private void train(Path project, Path directory) {
    DemoSettings settings =
        new DemoSettings(
            project,
            directory,
            port,
            Optional.ofNullable(corpus),
            policy,
            steps,
            batch,
            sequenceLength,
            every,
            lag,
            policySettings,
            targetDomains,
            newWeight,
            seed,
            Optional.ofNullable(replay));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean inPlace = !noUi && System.console() != null;
    DemoReport report =
        new Demo(settings, new Display(out, inPlace, System::nanoTime), global().topics()).run();
    json.write(report.json());
    report.summary().forEach(out::println);
    if (!report.audit().passed()) {
      throw new CheckFailedException(
          String.join(System.lineSeparator(), report.audit().violations()));
    }
  }
}
