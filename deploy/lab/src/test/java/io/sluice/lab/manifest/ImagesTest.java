package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The images are those that the manifests run. */
class ImagesTest {
  private static final String JOBS = "jobs.Dockerfile";
  private static final String COMMAND = "sluice.Dockerfile";
  private static final String TRAINER = "trainer.Dockerfile";

  static List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(Images.FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  static List<String> overlays() {
    return Manifests.overlays();
  }

  @ParameterizedTest
  @MethodSource("files")
  void eachIsSound(String name) {
    assertThat(Images.problems(Images.text(name))).isEmpty();
  }

  @Test
  void errorsAreFound() throws IOException {
    assertThat(files()).containsExactly(JOBS, COMMAND, TRAINER);
    for (Map.Entry<String, String> wrong :
        Map.of(
                "COPY ", "COPPY ",
                "USER 9999:9999", "USER root",
                "USER 9999", "USER 0",
                "USER 9999:9999\n", "",
                "flink:2.2.1-java17", "flink:latest",
                "FROM ${BASE}", "FROM flink")
            .entrySet()) {
      String text = Images.text(JOBS).replace(wrong.getKey(), wrong.getValue());
      assertThat(Images.problems(text)).as(wrong.getValue()).hasSize(1);
    }
  }

  @Test
  void basesAreOfTheReleasesThatAreBuiltWith() {
    assertThat(Images.base(Images.text(JOBS)))
        .isEqualTo("flink:" + EnvironmentInformation.getVersion() + "-java17");
    assertThat(Images.base(Images.text(TRAINER))).isEqualTo("sluice:" + Images.version());
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void manifestsRunThemAsTheirUsersFromWhereTheyLie(String overlay) {
    String jar = destination(Images.text(JOBS));
    assertThat(Manifests.of(overlay, "FlinkDeployment"))
        .allSatisfy(
            deployment -> {
              assertThat(deployment.at("/spec/job/jarURI").asText()).isEqualTo("local://" + jar);
              assertThat(deployment.at("/spec/image").asText())
                  .matches("(.*/)?sluice-jobs:" + Images.version());
              assertThat(ids(deployment))
                  .containsOnly(Images.last(Images.text(JOBS), "USER").get());
            });
    List<ObjectNode> commands = new ArrayList<>(Manifests.of(overlay, "JobSet"));
    commands.addAll(Manifests.of(overlay, "Deployment"));
    assertThat(commands)
        .hasSize(2)
        .allSatisfy(
            command ->
                assertThat(ids(command))
                    .containsOnly(Images.last(Images.text(COMMAND), "USER").get()));
  }

  @ParameterizedTest
  @MethodSource("overlays")
  void noContainerWritesToItsRootOrGainsRights(String overlay) {
    List<ObjectNode> containers =
        Manifests.below(Manifests.of(overlay)).filter(each -> each.has("volumeMounts")).toList();
    assertThat(containers)
        .hasSize(4)
        .allSatisfy(
            container -> {
              assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                  .isTrue();
              assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                  .isFalse();
              assertThat(mounts(container)).contains("/tmp");
            });
  }

  @ParameterizedTest
  @CsvSource({
    JOBS + ",../../flink-jobs/jobs/target",
    COMMAND + ",../lab/target",
    TRAINER + ",../lab/target"
  })
  void isBuiltOfWhatTheBuildLeaves(String name, Path context) {
    List<String> builder = builder();
    List<String> sources =
        Images.parse(Images.text(name)).stream()
            .filter(each -> each.word().equals("COPY") && !each.rest().startsWith("--from"))
            .map(each -> each.rest().split(" ", 2)[0])
            .toList();
    assumeTrue(
        sources.stream().allMatch(source -> isThere(context, source)),
        "needs what is copied: " + sources + " in " + context);
    List<String> command = new ArrayList<>(builder);
    command.addAll(List.of("-f", Images.FOLDER.resolve(name).toString(), context.toString()));
    assertThat(exit(command)).isZero();
  }

  private static String destination(String dockerfile) {
    return Images.last(dockerfile, "COPY").orElseThrow().split(" ", 2)[1];
  }

  private static List<String> ids(ObjectNode document) {
    return Manifests.below(List.of(document))
        .filter(each -> each.has("runAsUser"))
        .map(each -> each.get("runAsUser").asText() + ":" + each.get("runAsGroup").asText())
        .toList();
  }

  private static List<String> mounts(ObjectNode container) {
    List<String> paths = new ArrayList<>();
    container.get("volumeMounts").forEach(mount -> paths.add(mount.get("mountPath").asText()));
    return paths;
  }

  private static boolean isThere(Path context, String glob) {
    try (var found = Files.newDirectoryStream(context, glob)) {
      return found.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }

  private static List<String> builder() {
    if (isRun(List.of("buildah", "version"))) {
      return List.of("buildah", "build");
    }
    if (isRun(List.of("docker", "info"))) {
      return List.of("docker", "build");
    }
    return abort("needs buildah, or docker with its daemon, to build images");
  }

  private static boolean isRun(List<String> command) {
    try {
      return exit(command) == 0;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private static int exit(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.onExit().join().exitValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
