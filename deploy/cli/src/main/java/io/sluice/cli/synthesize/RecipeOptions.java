package io.sluice.cli.synthesize;

import io.sluice.control.error.BadInputException;
import io.sluice.refine.synthesis.Recipe;
import io.sluice.refine.synthesis.Sampling;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.qa.Corruption;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What is asked of each seed, and what is made of the answer. */
final class RecipeOptions {
  private static final String DISCIPLINE = "discipline";

  @Option(
      names = "--template",
      required = true,
      paramLabel = "TEMPLATE",
      description =
          "science (with --discipline), code, or a file with a prompt that has {{document}} where"
              + " the seed goes.")
  private String template = "";

  @Option(
      names = "--discipline",
      paramLabel = "NAME",
      description =
          "What is put for {{discipline}}; the paper has mathematics, physics, chemistry, biology,"
              + " astronomy, earth science, medical science, computer science and general education.")
  private @Nullable String discipline;

  @Option(
      names = "--value",
      paramLabel = "PLACE=TEXT",
      description = "What is put for another place of the template.")
  private Map<String, String> values = new HashMap<>();

  @Option(
      names = "--snippet",
      defaultValue = "4000",
      paramLabel = "N",
      description =
          "Most characters of a seed that are shown: of a longer one, a run of lines. Default: 4000.")
  private int snippet;

  @Option(
      names = "--temperature",
      defaultValue = "0.7",
      paramLabel = "T",
      description = "Temperature of sampling, from 0 to 2. Default: 0.7.")
  private double temperature;

  @Option(
      names = "--max-tokens",
      defaultValue = "1024",
      paramLabel = "N",
      description = "Most tokens of an answer. Default: 1024.")
  private int maxTokens;

  @Option(
      names = "--seed",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "Seed of snippets, corruption and pauses, and asked of the endpoint. Default: 0.")
  private long seed;

  @Option(
      names = "--corruption",
      defaultValue = "0",
      paramLabel = "X",
      description =
          "Spoil numbers, nouns and adjectives of this share, from 0 to 0.7, to learn how much of it"
              + " a model bears. Default: 0.")
  private double corruption;

  long seed() {
    return seed;
  }

  Template template() {
    return Template.of(template);
  }

  /** The values of a template's places, no more and no less. */
  Map<String, String> values(Template asked) {
    Map<String, String> all = new HashMap<>(values);
    if (discipline != null) {
      all.put(DISCIPLINE, discipline);
    }
    if (asked.values().contains(DISCIPLINE) && discipline == null) {
      throw new BadInputException(
          "--discipline must be given for template "
              + asked.name()
              + ", such as "
              + String.join(", ", Template.DISCIPLINES));
    }
    Set<String> unknown = new TreeSet<>(all.keySet());
    unknown.removeAll(asked.values());
    if (!unknown.isEmpty()) {
      throw new BadInputException(
          "template " + asked.name() + " must have a place for each value: none for " + unknown);
    }
    return all;
  }

  Recipe recipe(Template asked, String model, boolean rule) {
    return new Recipe(
        asked,
        values(asked),
        model,
        new Sampling(temperature, maxTokens, seed),
        snippet,
        new Corruption(corruption, seed),
        rule);
  }
}
