package io.sluice.cli.refine;

import io.sluice.control.config.ConfigFile;
import io.sluice.control.config.ConfigSection;
import io.sluice.control.config.Option;
import io.sluice.control.config.OptionReader;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.decide.RefineSpecs;
import io.sluice.refine.model.ModelDirectory;
import io.sluice.refine.step.StepNames;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.live.SynthesisStep;
import io.sluice.schema.RefineSpec;
import io.sluice.schema.RefineStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The {@code refine.yaml} that a person writes. */
public final class RefineFile {
  private RefineFile() {}

  /**
   * The refinery that the file describes, with every default resolved, and its models' hashes.
   *
   * @throws BadInputException naming the key, what is allowed and what was found
   */
  public static RefineSpec read(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return resolve(ConfigFile.read(file), folder == null ? Path.of("") : folder);
  }

  /**
   * @param folder that models' directories are named from
   */
  static RefineSpec resolve(ConfigSection root, Path folder) {
    OptionReader file = new OptionReader(root);
    String name = file.get(RefineOptions.REFINERY);
    List<String> inputs = file.get(RefineOptions.INPUTS);
    String pattern = file.get(RefineOptions.DOMAINS);
    List<RefineStep> steps = new ArrayList<>();
    for (String step : StepNames.ALL) {
      if (root.has(step)) {
        steps.add(step(step, file, folder));
      }
    }
    file.requireNoOther();
    return RefineSpecs.resolve(name, inputs, pattern, steps);
  }

  private static RefineStep step(String name, OptionReader file, Path folder) {
    return switch (name) {
      case StepNames.BENCHMARK ->
          modelled(name, file, folder, RefineOptions.BENCHMARK_MODEL, List.of());
      case StepNames.TARGETS ->
          new RefineStep(
              name,
              "",
              "",
              settings(
                  file,
                  List.of(
                      RefineOptions.TARGET_DOMAINS,
                      RefineOptions.INTO,
                      RefineOptions.TESTS,
                      RefineOptions.TARGET_SEED,
                      RefineOptions.TARGET_SIMILARITY)));
      case StepNames.TOPIC -> modelled(name, file, folder, RefineOptions.TOPIC_MODEL, List.of());
      case StepNames.PERPLEXITY ->
          modelled(
              name,
              file,
              folder,
              RefineOptions.PERPLEXITY_MODEL,
              List.of(
                  RefineOptions.BUCKETS,
                  RefineOptions.WARM_UP,
                  RefineOptions.GROWTH,
                  RefineOptions.TOLERANCE));
      case StepNames.CLUSTER ->
          modelled(name, file, folder, RefineOptions.CLUSTER_MODEL, List.of(RefineOptions.ASSIGN));
      case StepNames.BASIS -> modelled(name, file, folder, RefineOptions.BASIS_MODEL, List.of());
      case StepNames.SYNTHESIZE -> synthesis(name, file, folder);
      default ->
          new RefineStep(
              name,
              "",
              "",
              settings(
                  file,
                  List.of(
                      RefineOptions.MEMORY,
                      RefineOptions.SIMILARITY,
                      RefineOptions.WORDS,
                      RefineOptions.BANDS,
                      RefineOptions.ROWS,
                      RefineOptions.DOCUMENTS,
                      RefineOptions.FALSE_DROPS)));
    };
  }

  /** With the template's text, which the machines of the job need not have. */
  private static RefineStep synthesis(String name, OptionReader file, Path folder) {
    Map<String, String> settings = settings(file, SynthesisOptions.ALL);
    String given = file.get(SynthesisOptions.TEMPLATE);
    Template template =
        Template.of(Template.BUILT_IN.contains(given) ? given : folder.resolve(given).toString());
    settings.put("template", template.name());
    settings.put(SynthesisStep.TEXT, template.text());
    return new RefineStep(name, "", "", settings);
  }

  private static RefineStep modelled(
      String name, OptionReader file, Path folder, Option<String> model, List<Option<?>> others) {
    Path directory = folder.resolve(file.get(model)).normalize();
    String hash = ModelDirectory.open(directory, ModelDirectory.LARGEST).hash();
    return new RefineStep(name, directory.toString(), hash, settings(file, others));
  }

  private static Map<String, String> settings(OptionReader file, List<Option<?>> options) {
    Map<String, String> settings = new TreeMap<>();
    for (Option<?> option : options) {
      String key = option.key().substring(option.key().indexOf('.') + 1);
      Object value = file.get(option);
      settings.put(
          key,
          value instanceof List<?> several
              ? several.stream().map(String::valueOf).collect(Collectors.joining(" "))
              : String.valueOf(value));
    }
    return settings;
  }
}
