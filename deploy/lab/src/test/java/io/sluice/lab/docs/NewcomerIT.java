package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.loop.TestingPython;
import io.sluice.lab.docs.MarkdownPage.Block;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The way of somebody who has the README and a corpus: its service, line by line, and a trainer of
 * their own through all that can happen to it in a first week.
 */
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NewcomerIT {
  private static final String SERVICE = "A service of your own";

  @TempDir private static Path directory;

  private static MarkdownPage readme;
  private static Newcomer person;
  private static Process service;

  @BeforeAll
  static void start() throws IOException {
    readme = DocsPage.read("../README.md");
    person = new Newcomer(directory);
    for (Block block : readme.blocks(SERVICE)) {
      String name = block.text().split(":", 2)[0];
      if (block.language().equals("yaml")) {
        Files.writeString(person.file(name + ".yaml"), block.text());
      }
    }
    writeCorpus();
    up("./sluice up", "0");
  }

  @AfterAll
  static void stop() {
    person.close();
  }

  /** Paragraphs of the documentation, and the sources. */
  private static void writeCorpus() throws IOException {
    ObjectMapper json = new ObjectMapper();
    try (Stream<Path> pages = Files.list(Newcomer.project("docs"));
        Writer wiki =
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(person.file("wiki.jsonl.gz"))),
                StandardCharsets.UTF_8)) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
        for (String paragraph : Files.readString(page).split("\n\n", -1)) {
          wiki.write(json.writeValueAsString(Map.of("text", paragraph)) + "\n");
        }
      }
    }
    // Of files of tests some cannot be read, and then no domain ends.
    Files.createSymbolicLink(person.file("src"), Newcomer.project("flink-jobs/jobs").toRealPath());
  }

  private static void up(String line, String port) throws IOException {
    Path out = person.file("up.out");
    Files.deleteIfExists(out);
    service = person.start(line + " --port " + port, out);
    Newcomer.awaitOutput(service, out, text -> text.contains("sluice: ready"));
  }

  @Test
  @Order(1)
  void everyLineOfTheServiceDoesWhatItSays() throws IOException {
    List<String> lines =
        readme.blocks(SERVICE).get(0).text().lines().map(line -> line.split(" +#", 2)[0]).toList();
    assertThat(lines.get(0)).isEqualTo("./sluice up");
    String other = Files.readString(person.file("run.yaml")).replace("velo-small", "velo-b");
    Files.writeString(person.file("other.yaml"), other);
    Map<String, String> said = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] words = line.split(" ", 4);
      said.put(words[1].equals("run") ? words[2] : words[1], person.types(line));
    }
    assertThat(said.get("dataset")).startsWith("dataset small is published\n");
    assertThat(said.get("apply")).contains("run velo-small has started");
    assertThat(said.get("trainer"))
        .contains("eval_loss wiki ")
        .contains("done: trained steps 1 to 200,");
    assertThat(said.get("show")).contains("velo-small").doesNotContain("reached");
    assertThat(said.get("cat").lines()).hasSize(4);
    assertThat(said.get("audit")).contains("passed");
  }

  @ParameterizedTest
  @Order(2)
  @ValueSource(strings = {"newcomer.py", "newcomer_torch.py"})
  void aTrainerOfOnesOwnSeesEachRowOnce(String script) throws IOException, InterruptedException {
    TestingPython.require("confluent_kafka", script.contains("torch") ? "torch" : "numpy");
    String run = script.contains("torch") ? "own-torch" : "own";
    Files.writeString(
        person.file("own.yaml"),
        Files.readString(person.file("run.yaml"))
            .replace("velo-small", run)
            .replace("wiki: {repeat: 2}", "wiki: {repeat: 9}, code: {repeat: 9}"));
    person.types("./sluice run apply -f own.yaml");
    Trainer trainer = new Trainer(script, run);
    assertThat(trainer.train("--until", "60", "--kill-at", "25")).isEqualTo(137);
    assertThat(trainer.train("--until", "60")).isZero();

    person.types("./sluice run pause " + run);
    Process waiting = trainer.start("--until", "100");
    assertThat(person.types("./sluice run show " + run)).contains("paused");
    person.types("./sluice run resume " + run);
    assertThat(Newcomer.ended(waiting)).as(trainer.said()).isZero();

    person.types(
        "./sluice run policy "
            + run
            + " --name dynamic-batch-loading --set target-fraction=0.3 --every 5");
    assertThat(trainer.train("--until", "120")).isZero();
    person.types("./sluice run rewind " + run + " --to-batch 110");
    assertThat(trainer.train("--until", "130")).as(trainer.said()).isZero();

    addDomain(run);
    assertThat(trainer.train("--until", "160")).as(trainer.said()).isZero();
    assertThat(person.types("./sluice run show " + run)).contains("notes-" + run);

    Process through = trainer.start("--until", "400");
    Newcomer.awaitOutput(through, trainer.out, text -> text.contains("step "));
    restartOnABusyMachine();
    if (Newcomer.ended(through) != 0) {
      // Feedback waits for two minutes; a service that takes longer costs a start from a
      // checkpoint.
      assertThat(trainer.said()).contains("FeedbackLost: ");
      assertThat(trainer.train("--until", "400")).as(trainer.said()).isZero();
    }
    assertThat(trainer.train("--check")).isZero();
    assertThat(trainer.said()).isEqualTo("checked 6400 rows of 400 batches: 0 wrong\n");
    assertThat(person.types("./sluice audit --run " + run)).contains("passed");
  }

  /** A domain more in the dataset's file, its text, and its share of the run. */
  private static void addDomain(String run) throws IOException {
    String domain = "notes-" + run;
    Path dataset = person.file("dataset.yaml");
    Files.writeString(
        dataset,
        Files.readString(dataset).replaceFirst("(domains: \\[[^\\]]*)\\]", "$1, " + domain + "]"));
    person.types("./sluice dataset apply -f dataset.yaml");
    person.types("./sluice ingest --domain " + domain + " --end src");
    person.types("./sluice run domain " + run + " --add " + domain + "=0.2");
  }

  /**
   * The service is killed, and started again behind everything else: of processors that are busy it
   * has a quarter.
   */
  private static void restartOnABusyMachine() throws IOException {
    String port = bootstrap().split(":", 2)[1];
    List<Process> busy = new ArrayList<>();
    for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
      busy.add(person.start("nice -n 14 bash -c 'while :; do :; done'", person.file("busy.out")));
    }
    try {
      service.destroyForcibly().onExit().join();
      up("nice -n 19 ./sluice up", port);
    } finally {
      busy.forEach(Process::destroyForcibly);
    }
  }

  private static String bootstrap() throws IOException {
    return Files.readString(person.file("home/up/endpoint")).strip();
  }

  /** The newcomer's script on one run. */
  private static final class Trainer {
    private final String script;
    private final String run;
    private final Path out;

    Trainer(String script, String run) throws IOException {
      this.script = script;
      this.run = run;
      out = person.file(run + ".out");
      Files.createDirectory(person.file(run));
    }

    Process start(String... options) throws IOException {
      List<String> arguments = new ArrayList<>(List.of("--run", run, "--bootstrap", bootstrap()));
      arguments.addAll(List.of("--checkpoints", person.file(run).toString()));
      arguments.addAll(List.of(options));
      return TestingPython.process(TestingPython.script(script, arguments))
          .redirectErrorStream(true)
          .redirectOutput(out.toFile())
          .start();
    }

    int train(String... options) throws IOException {
      return Newcomer.ended(start(options));
    }

    String said() throws IOException {
      return Files.readString(out);
    }
  }
}
