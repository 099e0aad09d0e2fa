package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.jobs.main.JobsMain;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

/** The Compose file is sound by itself, and by those who read what it says to them. */
class ComposeTest {
  private static final Path FOLDER = Manifests.DEPLOY.resolve("compose");
  private static final String KAFKA = "KAFKA_";
  private static final String FLINK = "FLINK_PROPERTIES";
  private static final String METRICS_PORT = "metrics.reporter.prometheus.port";

  @Test
  void saysWhatComposeTakes() {
    ObjectNode compose = compose();
    assertThat(Kinds.problem(compose, ComposeModel.Compose.class)).isEmpty();
    ((ObjectNode) compose.at("/services/kafka")).put("restrat", "always");
    assertThat(Kinds.problem(compose, ComposeModel.Compose.class).orElseThrow())
        .contains("restrat");
  }

  @Test
  void whatItNamesIsThere() {
    assertThat(dangling(compose())).isEmpty();
    for (Map.Entry<String, String> wrong :
        Map.of(
                "kafka:/var/lib", "kafca:/var/lib",
                "jobs.Dockerfile", "job.Dockerfile",
                "[prometheus]", "[prometeus]",
                "./prometheus.yaml", "./prometheus.yml")
            .entrySet()) {
      String text = text().replace(wrong.getKey(), wrong.getValue());
      assertThat(dangling(Manifests.parse(text).get(0))).as(wrong.getValue()).isNotEmpty();
    }
  }

  @Test
  void imagesAreOfOneReleaseEach() {
    assertThat(images(compose()))
        .hasSizeGreaterThan(3)
        .allSatisfy(image -> assertThat(Images.isPinned(image)).as(image).isTrue())
        .contains("apache/kafka:" + AppInfoParser.getVersion())
        .contains("sluice:" + Images.version(), "sluice-jobs:" + Images.version());
  }

  @Test
  void theBrokerTakesItsSettings() {
    Map<String, String> settings = brokerSettings(compose());
    assertThat(settings).hasSizeGreaterThan(10).containsEntry("auto.create.topics.enable", "false");
    assertThat(KafkaSettingsTest.problems(settings)).isEmpty();
    String wrong = text().replace("KAFKA_LOG_DIRS", "KAFKA_LOGS_DIR");
    assertThat(KafkaSettingsTest.problems(brokerSettings(Manifests.parse(wrong).get(0))))
        .containsExactly("logs.dir=/var/lib/kafka/data");
  }

  @Test
  void flinkTakesItsOptionsAndJobsTheirArguments() {
    assertThat(flinkProblems(compose())).isEmpty();
    for (Map.Entry<String, String> wrong :
        Map.of(
                "heartbeat.timeout", "heartbeat.timout",
                "--dataset", "--dateset",
                "- mix", "- mixx",
                "JobsMain", "JobMain")
            .entrySet()) {
      String text = text().replace(wrong.getKey(), wrong.getValue());
      assertThat(flinkProblems(Manifests.parse(text).get(0))).as(wrong.getValue()).isNotEmpty();
    }
  }

  @Test
  void prometheusAsksThoseWhoAnswer() {
    List<String> answering = new ArrayList<>();
    services(compose())
        .forEach(
            (name, service) -> {
              Map<String, String> options = flinkOptions(service);
              if (!options.isEmpty()) {
                answering.add(name + ":" + options.get(METRICS_PORT));
              }
            });
    ObjectNode prometheus =
        Manifests.parse(Manifests.read(FOLDER.resolve("prometheus.yaml"))).get(0);
    assertThat(Manifests.texts(prometheus.at("/scrape_configs/0/static_configs/0/targets")))
        .containsExactlyInAnyOrderElementsOf(answering);
    ObjectNode grafana =
        Manifests.parse(Manifests.read(FOLDER.resolve("grafana/datasources.yaml"))).get(0);
    assertThat(grafana.at("/datasources/0/url").asText()).isEqualTo("http://prometheus:9090");
  }

  @Test
  void nothingIsPublishedBeyondTheMachine() {
    services(compose())
        .values()
        .forEach(
            service ->
                assertThat(Manifests.texts(service.path("ports")))
                    .allSatisfy(port -> assertThat(port).startsWith("127.0.0.1:")));
  }

  private static List<String> dangling(ObjectNode compose) {
    Map<String, ObjectNode> services = services(compose);
    List<String> dangling = new ArrayList<>();
    services.forEach(
        (name, service) -> {
          Manifests.texts(service.path("depends_on")).stream()
              .filter(other -> !services.containsKey(other))
              .forEach(dangling::add);
          for (String volume : Manifests.texts(service.path("volumes"))) {
            String from = volume.substring(0, volume.indexOf(":/"));
            if (from.startsWith("./")
                ? !Files.exists(FOLDER.resolve(from))
                : !from.startsWith("$") && !compose.get("volumes").has(from)) {
              dangling.add(from);
            }
          }
          if (service.has("build")) {
            Path dockerfile =
                FOLDER
                    .resolve(service.at("/build/context").asText())
                    .resolve(service.at("/build/dockerfile").asText())
                    .normalize();
            if (!Files.exists(dockerfile)) {
              dangling.add(dockerfile.toString());
            }
          }
        });
    return dangling;
  }

  private static List<String> images(ObjectNode compose) {
    return services(compose).values().stream()
        .map(service -> service.path("image").asText())
        .toList();
  }

  private static Map<String, String> brokerSettings(ObjectNode compose) {
    Map<String, String> settings = new TreeMap<>();
    Manifests.settings(compose.at("/services/kafka/environment"))
        .forEach(
            (key, value) ->
                settings.put(
                    key.substring(KAFKA.length()).toLowerCase(Locale.ROOT).replace('_', '.'),
                    value));
    return settings;
  }

  private static List<String> flinkProblems(ObjectNode compose) {
    List<String> problems = new ArrayList<>();
    int jobs = 0;
    for (ObjectNode service : services(compose).values()) {
      problems.addAll(FlinkConfigurationTest.problems(flinkOptions(service)));
      List<String> command = Manifests.texts(service.path("command"));
      if (command.contains("standalone-job")) {
        jobs++;
        if (!command.get(2).equals(JobsMain.class.getName())) {
          problems.add(command.get(2));
        }
        Arguments.problemOfJob(command.subList(3, command.size())).ifPresent(problems::add);
      }
    }
    assertThat(jobs).isEqualTo(2);
    return problems;
  }

  private static Map<String, String> flinkOptions(JsonNode service) {
    Map<String, String> options = new TreeMap<>();
    service
        .path("environment")
        .path(FLINK)
        .asText()
        .lines()
        .map(line -> line.split(": ", 2))
        .forEach(option -> options.put(option[0], option[1]));
    return options;
  }

  private static Map<String, ObjectNode> services(ObjectNode compose) {
    Map<String, ObjectNode> services = new TreeMap<>();
    compose
        .get("services")
        .properties()
        .forEach(each -> services.put(each.getKey(), (ObjectNode) each.getValue()));
    return services;
  }

  private static ObjectNode compose() {
    return Manifests.parse(text()).get(0);
  }

  private static String text() {
    return Manifests.read(FOLDER.resolve("compose.yaml"));
  }
}
