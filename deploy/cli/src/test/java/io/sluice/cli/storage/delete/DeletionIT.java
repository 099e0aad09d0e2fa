package io.sluice.cli.storage.delete;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.TestingSluice;
import io.sluice.cli.TestingSluice.Said;
import io.sluice.control.topics.TopicAdmin;
import io.sluice.control.topics.TopicInspection;
import io.sluice.schema.KafkaAccess;
import io.sluice.schema.Topics;
import io.sluice.service.Patience;
import io.sluice.service.broker.EmbeddedBroker;
import io.sluice.service.local.LocalService;
import io.sluice.service.local.LocalSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What deletions free and refuse. */
class DeletionIT {
  private static final String DATASET =
      """
      dataset: %s
      sequence-length: 32 tokens
      shuffle-buffer: 10 documents
      held-out: 0.1
      domains: [prose]
      """;
  private static final String RUN =
      """
      run: %s
      dataset: data
      batch: 4 sequences
      initial-weights: uniform
      policy: static
      """;

  @TempDir private static Path directory;

  private static EmbeddedBroker broker;
  private static TestingSluice sluice;
  private static Admin admin;
  private static KafkaAccess access;

  @BeforeAll
  static void start() throws IOException {
    broker = EmbeddedBroker.start(directory.resolve("broker"), 0, Patience.MINUTE);
    access = KafkaAccess.local(broker.bootstrapServers());
    sluice = new TestingSluice(access, directory);
    admin = Admin.create(access.with(Map.of()));
    for (String name : List.of("data", "other", "third")) {
      Files.writeString(directory.resolve(name + ".yaml"), DATASET.formatted(name));
    }
    Files.writeString(
        directory.resolve("clean.yaml"), "refinery: clean\ninputs: [prose]\ndomains: clean\n");
    for (String name : List.of("one", "two")) {
      Files.writeString(directory.resolve(name + ".yaml"), RUN.formatted(name));
    }
    Files.writeString(
        directory.resolve("prose.jsonl"),
        "{\"text\": \"much ado about nothing in particular\"}\n".repeat(200));
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  private static void does(String... command) {
    Said said = sluice.run(command);
    assertThat(said.exit()).as(said.err()).isZero();
  }

  private static String refuses(int exit, String... command) {
    Said said = sluice.run(command);
    assertThat(said.exit()).as(said.out()).isEqualTo(exit);
    return said.err();
  }

  private static void apply(String kind, String name) {
    does(kind, "apply", "-f", directory.resolve(name + ".yaml").toString());
  }

  private static void ingest() {
    does("ingest", "--domain", "prose", "--end", directory.resolve("prose.jsonl").toString());
  }

  private static JsonNode json(String... command) {
    try {
      return sluice.json(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long held(String kind, String name) {
    for (JsonNode holder : json("storage", "--json", "-").get("holders")) {
      if (holder.get("kind").asText().equals(kind) && holder.get("name").asText().equals(name)) {
        return holder.get("bytes").asLong();
      }
    }
    return 0;
  }

  private static Set<String> topics() {
    try {
      return admin.listTopics().names().get().stream()
          .filter(name -> name.startsWith("sluice."))
          .collect(Collectors.toSet());
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitPrepared() {
    Patience.await(
        Patience.MINUTE,
        () -> json("domain", "show", "prose", "--json", "-"),
        domain -> domain.at("/datasets/0/complete").asBoolean());
  }

  @Test
  void eachIsFreedOnceNothingNeedsIt() {
    List<String> events = new CopyOnWriteArrayList<>();
    LocalSettings settings = LocalSettings.in(directory.resolve("up")).withKafka(access);
    try (LocalService service = LocalService.start(settings, events::add)) {
      apply("dataset", "data");
      ingest();
      awaitPrepared();
      apply("run", "one");
      apply("run", "two");
      assertThat(refuses(2, "dataset", "delete", "data"))
          .contains("dataset 'data' is needed by run one (", ", run two (");
      assertThat(refuses(2, "domain", "delete", "prose"))
          .contains("domain 'prose' is needed by dataset data");
      Patience.await(Patience.MINUTE, () -> held("run", "one"), bytes -> bytes > 0);
      JsonNode one = json("run", "delete", "one", "--json", "-");
      assertThat(one.get("bytes").asLong()).isPositive();
      assertThat(one.at("/left/0").asText())
          .startsWith("dataset data, of ")
          .contains("stays: run two (")
          .endsWith(") needs it");
      assertThat(topics())
          .doesNotContain("sluice.stream.one", "sluice.feedback.one")
          .noneMatch(name -> name.startsWith("sluice.control.one."));
      assertThat(sluice.does("run", "delete", "two"))
          .contains("run two is deleted: ", "freed", "'sluice dataset delete data' frees that");
      assertThat(refuses(2, "run", "delete", "two")).contains("run must be one of []: 'two'");
      long blocks = held("dataset", "data");
      long corpus = held("domain", "prose");
      assertThat(blocks).isPositive();
      apply("dataset", "other");
      JsonNode data = json("dataset", "delete", "data", "--json", "-");
      assertThat(data.get("bytes").asLong()).isGreaterThanOrEqualTo(blocks);
      assertThat(data.at("/left/0").asText())
          .isEqualTo("domain prose stays: dataset other needs it");
      assertThat(events).contains("dataset data is deleted");
      assertThat(topics()).noneMatch(name -> name.matches(".*\\.data(\\..*)?"));
      assertThat(refuses(2, "dataset", "delete", "data"))
          .contains("dataset must be one of [other]");

      assertThat(refuses(2, "dataset", "apply", "-f", directory.resolve("data.yaml").toString()))
          .contains("dataset 'data' was deleted, and jobs know its blocks");
      assertThat(refuses(2, "plan", "-f", directory.resolve("data.yaml").toString()))
          .contains("dataset 'data' was deleted");
      assertThat(sluice.does("dataset", "delete", "other"))
          .contains("'sluice domain delete prose' frees it");
      JsonNode prose = json("domain", "delete", "prose", "--json", "-");
      assertThat(prose.get("bytes").asLong()).isEqualTo(corpus);
      assertThat(topics())
          .containsExactlyInAnyOrderElementsOf(TopicInspection.serviceTopics(access.topics()));
    }
    List<String> later = new CopyOnWriteArrayList<>();
    try (LocalService again = LocalService.start(settings, later::add)) {
      // Files of the domain come again, and are prepared by another.
      apply("refine", "clean");
      Patience.await(
          Patience.MINUTE,
          () -> later,
          said -> said.contains("refining clean: prose to 1 domains"));
      apply("dataset", "third");
      ingest();
      awaitPrepared();
      assertThat(json("domain", "show", "prose", "--json", "-").get("documents").asLong())
          .isEqualTo(200);
      assertThat(refuses(2, "domain", "delete", "prose"))
          .contains(
              "domain 'prose' is needed by dataset third, refinery clean, which reads it",
              "'sluice refine delete NAME' a refinery");
      assertThat(sluice.does("refine", "delete", "clean"))
          .contains("refinery clean is deleted: ", "domain clean stays: nothing else needs it");
      assertThat(later).contains("refinery clean is deleted");
      assertThat(later).noneMatch(said -> said.matches(".*\\b(data|other)\\b.*"));
      assertThat(topics()).noneMatch(name -> name.matches(".*\\.(data|other)(\\..*)?"));
    }
  }

  @Test
  void whereNoServiceSaysThatItHasStoppedNothingIsDeleted() {
    KafkaAccess alone = new KafkaAccess(broker.bootstrapServers(), new Topics("alone."), Map.of());
    Path file = directory.resolve("other.yaml");
    does("--prefix", "alone.", "dataset", "apply", "-f", file.toString());
    String[] delete = {"--prefix", "alone.", "dataset", "delete", "other", "--timeout", "1"};
    assertThat(refuses(3, delete))
        .contains(
            "no service has said within 1 s that it does not prepare 'other'", "--jobs-stopped");
    does("--prefix", "alone.", "dataset", "show", "other");
    try (TopicAdmin topics = new TopicAdmin(alone)) {
      assertThat(topics.find("alone.supply.other")).isPresent();
      does("--prefix", "alone.", "dataset", "delete", "other", "--jobs-stopped");
      assertThat(topics.find("alone.supply.other")).isEmpty();
    }
    assertThat(refuses(2, "--prefix", "alone.", "domain", "delete", "none"))
        .contains("domain must be one of [prose]");
    does("--prefix", "alone.", "domain", "delete", "prose");
  }
}
