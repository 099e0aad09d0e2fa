package io.sluice.cli.refine;

import io.sluice.control.config.Option;
import io.sluice.refine.synthesis.Template;
import io.sluice.refine.synthesis.live.SynthesisStep;
import java.util.List;

/** The keys of {@code refine.yaml} that say what is asked of a model, and how. */
final class SynthesisOptions {
  static final Option<String> ENDPOINT =
      Option.text(
          "synthesize.endpoint",
          "an address, or rule",
          "http://localhost:8000/v1",
          "Takes OpenAI's chat completions; 'rule' is no model, and makes questions of documentation of"
              + " code, to try the rest out.");

  static final Option<String> MODEL =
      words("synthesize.model", SynthesisStep.RULE, "qwen", "The model, as the endpoint knows it.");

  static final Option<String> TEMPLATE =
      Option.text(
          "synthesize.template",
          "science, code or a file",
          "science",
          "What is asked: a prompt that has {{document}} where the seed goes.");

  static final Option<String> DISCIPLINE =
      words(
          "synthesize.discipline",
          "",
          "physics",
          "What is put for {{discipline}}, such as one of "
              + String.join(", ", Template.DISCIPLINES)
              + ".");

  static final Option<Long> SNIPPET =
      Option.count(
          "synthesize.snippet",
          "",
          1,
          1 << 20,
          4_000L,
          "2000",
          "Most characters of a seed that are shown: of a longer one, a run of lines.");

  static final Option<Double> TEMPERATURE =
      Option.number("synthesize.temperature", 0, 2, 0.7, "0.3", "Temperature of sampling.");

  static final Option<Long> MAX_TOKENS =
      Option.count(
          "synthesize.max-tokens", "", 1, 1 << 17, 1_024L, "2048", "Most tokens of an answer.");

  static final Option<Long> SEED =
      Option.count(
          "synthesize.seed",
          "",
          0,
          1L << 52,
          0L,
          "1",
          "Seed of snippets, corruption and pauses, and asked of the endpoint.");

  static final Option<Double> CORRUPTION =
      Option.number(
          "synthesize.corruption",
          0,
          0.7,
          0,
          "0.3",
          "Spoil numbers, nouns and adjectives of this share, to learn how much of it a model bears.");

  static final Option<Long> CONCURRENCY =
      Option.count("synthesize.concurrency", "", 1, 256, 4L, "16", "Requests at the same time.");

  static final Option<Long> RATE =
      Option.count(
          "synthesize.rate",
          "",
          0,
          1_000_000,
          0L,
          "600",
          "Most requests that begin in a minute; 0 for as many as there can be.");

  static final Option<Long> TIMEOUT =
      Option.count(
          "synthesize.timeout", "", 1, 86_400, 300L, "120", "Seconds that an answer may take.");

  static final Option<Long> TRIES =
      Option.count(
          "synthesize.tries",
          "",
          1,
          100,
          6L,
          "8",
          "How often a request is made that fails for a reason that may pass, before the job is"
              + " started anew.");

  static final Option<Long> BUDGET =
      Option.count(
          "synthesize.budget-tokens",
          "",
          0,
          1L << 52,
          0L,
          "5000000",
          "Most tokens of prompts and answers, after which it waits until the file is applied with more;"
              + " 0 for any number. A request that was under way when a job was killed counts as much as it"
              + " may have cost.");

  static final Option<String> KEY =
      words(
          "synthesize.key-env",
          "SLUICE_SYNTHESIS_KEY",
          "MY_KEY",
          "The environment variable with the endpoint's key, where the job runs.");

  static final List<Option<?>> ALL =
      List.of(
          ENDPOINT,
          MODEL,
          TEMPLATE,
          DISCIPLINE,
          SNIPPET,
          TEMPERATURE,
          MAX_TOKENS,
          SEED,
          CORRUPTION,
          CONCURRENCY,
          RATE,
          TIMEOUT,
          TRIES,
          BUDGET,
          KEY);

  private SynthesisOptions() {}

  private static Option<String> words(
      String key, String otherwise, String example, String description) {
    return new Option<>(
        key,
        "text",
        "",
        otherwise.isEmpty() ? "none" : otherwise,
        example,
        description,
        (section, name) -> section.has(name) ? section.text(name) : otherwise);
  }
}
