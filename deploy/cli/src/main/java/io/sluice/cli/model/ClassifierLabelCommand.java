package io.sluice.cli.model;

import io.sluice.cli.endpoint.AnswersReport;
import io.sluice.cli.endpoint.EndpointOptions;
import io.sluice.cli.endpoint.Questions;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.cli.text.TextInput;
import io.sluice.control.error.BadInputException;
import io.sluice.refine.classify.LabelPrompt;
import io.sluice.refine.classify.Topic;
import io.sluice.refine.classify.TopicPresets;
import io.sluice.refine.label.Labelling;
import io.sluice.refine.synthesis.Endpoint;
import io.sluice.refine.synthesis.Sampling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice classifier label}. */
@Command(
    name = "label",
    description = {
      "Have a model say what texts are about, in Llama-3-SynE's words, so that 'classifier train' can"
          + " learn it from them.",
      "What it has answered is kept: the same command goes on where it was stopped, and asks nothing"
          + " twice."
    })
final class ClassifierLabelCommand extends CliCommand {
  private static final String ENGLISH = "english";
  private static final String CHINESE = "chinese";

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "Files and folders with texts.")
  private List<String> paths = new ArrayList<>();

  @Mixin private TextInput input = new TextInput();
  @Mixin private Questions questions = new Questions();

  @Option(
      names = "--topics",
      required = true,
      paramLabel = "TOPICS",
      description =
          "english or chinese, for the paper's topics; or your own, with commas between: what the"
              + " model is told, such as 'Law and Policy,Medicine'.")
  private String topics = "";

  @Option(
      names = "--characters",
      defaultValue = "4000",
      paramLabel = "N",
      description = "Most characters of a text's beginning that are shown. Default: 4000.")
  private int characters;

  @Option(
      names = "--max-tokens",
      defaultValue = "64",
      paramLabel = "N",
      description = "Most tokens of an answer; a model that reasons needs more. Default: 64.")
  private int maxTokens;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where a file of JSON lines goes for each topic that texts were found for.")
  private Path folder = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  /**
   * What came of it.
   *
   * @param topics texts of each
   */
  record Report(Map<String, Long> topics, AnswersReport answers) {}

  @Override
  public void run() {
    EndpointOptions asked = questions.endpoint();
    if (asked.isRule()) {
      throw new BadInputException("--endpoint must be a model's: no rule tells topics");
    }
    Labelling labelling =
        new Labelling(
            new LabelPrompt(topics(), characters), asked.model(), new Sampling(0, maxTokens, 0));
    Endpoint endpoint = asked.endpoint(prompt -> prompt);
    Map<String, Long> counts = new TreeMap<>();
    AnswersReport answers = ask(labelling, endpoint, counts);
    json.write(new Report(counts, answers));
    counts.forEach((topic, count) -> out().printf("%,8d  %s%n", count, topic));
    print(answers.lines());
    answers.requireWhole(folder);
  }

  private AnswersReport ask(Labelling labelling, Endpoint endpoint, Map<String, Long> counts) {
    LabelledFiles files = new LabelledFiles(folder, counts);
    return questions.ask(
        labelling,
        endpoint,
        folder,
        0,
        documents ->
            input.read(
                paths,
                err(),
                document -> {
                  files.asked(document);
                  documents.accept(document);
                }),
        files::open,
        this::notice);
  }

  private List<Topic> topics() {
    return switch (topics) {
      case ENGLISH -> TopicPresets.ENGLISH.topics();
      case CHINESE -> TopicPresets.CHINESE.topics();
      default -> own();
    };
  }

  private List<Topic> own() {
    try {
      return Arrays.stream(topics.split(",")).map(String::strip).map(Topic::described).toList();
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--topics: " + e.getMessage(), e);
    }
  }
}
