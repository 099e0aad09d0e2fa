package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.jobs.main.JobsMain;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs and commands take the arguments that the manifests give them. */
class ArgumentsTest {
  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void areTaken(String overlay) {
    assertThat(Arguments.ofJobs(overlay))
        .hasSizeGreaterThan(1)
        .allSatisfy(given -> assertThat(Arguments.problemOfJob(given)).isEmpty());
    assertThat(Arguments.ofTrainers(overlay))
        .hasSize(1)
        .allSatisfy(given -> assertThat(Arguments.problemOfCommand(given)).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void theMainClassIsTheJobs(String overlay) {
    assertThat(Manifests.of(overlay, "FlinkDeployment"))
        .allSatisfy(
            deployment ->
                assertThat(deployment.at("/spec/job/entryClass").asText())
                    .isEqualTo(JobsMain.class.getName()));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void theServersAreThoseOfTheClusterAndTheSettingsAreMounted(String overlay) {
    ObjectNode kafka = Manifests.only(overlay, "Kafka");
    String servers =
        Manifests.name(kafka)
            + "-kafka-bootstrap:"
            + kafka.at("/spec/kafka/listeners/0/port").asText();
    List<List<String>> all = new ArrayList<>(Arguments.ofJobs(overlay).toList());
    all.addAll(Arguments.ofTrainers(overlay).toList());
    assertThat(all)
        .allSatisfy(
            given ->
                assertThat(given)
                    .contains(
                        "--kafka=" + servers,
                        "--kafka-config=/etc/sluice/kafka/client.properties"));
    assertThat(variables(overlay, "SLUICE_KAFKA")).containsExactly(servers);
    assertThat(variables(overlay, "SLUICE_KAFKA_CONFIG"))
        .containsExactly("/etc/sluice/kafka/client.properties");
  }

  private static Stream<String> variables(String overlay, String name) {
    return Manifests.below(Manifests.of(overlay, "Deployment"))
        .filter(each -> each.path("name").asText().equals(name))
        .map(each -> each.path("value").asText());
  }

  @Test
  void aTypingErrorIsFoundInEachOfThem() {
    Arguments.ofJobs("production").forEach(given -> eachIsNeeded(given, Arguments::problemOfJob));
    Arguments.ofTrainers("production")
        .forEach(given -> eachIsNeeded(given, Arguments::problemOfCommand));
    assertThat(Arguments.problemOfJob(List.of("mix"))).hasValueSatisfying(isAbout("--kafka"));
    assertThat(Arguments.problemOfJob(List.of("prepare", "--kafka=k:9092")))
        .hasValueSatisfying(isAbout("--dataset"));
    assertThat(Arguments.problemOfCommand(List.of("trainer", "--run=r", "--steps=many")))
        .hasValueSatisfying(isAbout("many"));
  }

  private static void eachIsNeeded(
      List<String> given, Function<List<String>, Optional<String>> problem) {
    for (int i = 0; i < given.size(); i++) {
      List<String> wrong = new ArrayList<>(given);
      wrong.set(i, wrong.get(i).replaceFirst("^(--)?(.)", "$1$2$2"));
      assertThat(problem.apply(wrong)).as(wrong.get(i)).isPresent();
    }
  }

  private static Consumer<String> isAbout(String what) {
    return problem -> assertThat(problem).contains(what);
  }
}
