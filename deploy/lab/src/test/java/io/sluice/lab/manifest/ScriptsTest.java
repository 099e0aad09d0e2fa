package io.sluice.lab.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.service.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts for Slurm, run by programs that say what was asked of them in place of the real. */
class ScriptsTest {
  private static final Path SERVICE = Manifests.DEPLOY.resolve("slurm/service.sbatch");
  private static final Path TRAINERS = Manifests.DEPLOY.resolve("slurm/trainers.sbatch");
  private static final Pattern SETTING = Pattern.compile("(?m)^([a-z][a-z.]+\\.[a-z.]+)=(.*)$");
  private static final Pattern UP = Pattern.compile("(?m)^\"\\$SLUICE/bin/sluice\" (up .*) &$");

  /** It says what it was asked, and stays. */
  private static final String STAYS = "#!/bin/bash\necho \"$(basename \"$0\") $*\" >>\"$SAID\"\n";

  @TempDir private Path directory;

  static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(SERVICE.getParent())) {
      return files.sorted().toList();
    }
  }

  @BeforeEach
  void writePrograms() throws IOException {
    program("bin/scontrol", STAYS);
    program("bin/srun", STAYS + "shift\nexec \"$@\"\n");
    program("bin/sluice", STAYS + "exec tail -f /dev/null\n");
    program("bin/kafka-server-start.sh", STAYS + "exec tail -f /dev/null\n");
    program("bin/kafka-storage.sh", "#!/bin/bash\necho an-id\n");
    program("bin/kafka-broker-api-versions.sh", "#!/bin/bash\n");
    Files.createDirectory(directory.resolve("state"));
    Files.createFile(directory.resolve("said"));
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void areBash(Path script) throws IOException {
    assertThat(exit("bash", "-n", script.toString())).isZero();
    String broken = Manifests.read(script).replaceFirst("(?m)^(fi|done|})$|; done$", "");
    Path copy = Files.writeString(directory.resolve("broken"), broken);
    assertThat(exit("bash", "-n", copy.toString())).isNotZero();
  }

  @Test
  void theBrokerAndTheServiceTakeWhatTheyAreGiven() {
    Map<String, String> settings = new TreeMap<>();
    SETTING
        .matcher(Manifests.read(SERVICE).replace("$((port + 1))", "9093").replace("$port", "9092"))
        .results()
        .forEach(setting -> settings.put(setting.group(1), setting.group(2)));
    assertThat(settings).containsEntry("auto.create.topics.enable", "false");
    assertThat(KafkaSettingsTest.problems(settings)).isEmpty();
    Matcher up = UP.matcher(Manifests.read(SERVICE));
    assertThat(up.find()).isTrue();
    String arguments = up.group(1).replace("\"", "").replace("$host:$port", "node:9092");
    assertThat(Arguments.problemOfCommand(List.of(arguments.split(" ", -1)))).isEmpty();
    assertThat(Arguments.problemOfCommand(List.of((arguments + "s").split(" ", -1)))).isPresent();
  }

  @Test
  void aServiceThatIsToldToEndEndsItsPartsAndIsRequeued() throws IOException {
    Process service = start(SERVICE, Map.of());
    Path endpoint = directory.resolve("state/endpoint");
    Patience.await(Patience.MINUTE, () -> Files.exists(endpoint) && said().contains("sluice up"));
    List<ProcessHandle> parts = service.children().toList();
    assertThat(parts).hasSize(2);
    service.destroy();
    assertThat(service.onExit().join().exitValue()).isZero();
    assertThat(parts).noneMatch(ProcessHandle::isAlive);
    assertThat(endpoint).doesNotExist();
    assertThat(said()).endsWith("scontrol requeue 7\n");
  }

  @Test
  void aServiceOneOfWhosePartsEndsFails() throws IOException {
    Process service = start(SERVICE, Map.of());
    Patience.await(Patience.MINUTE, () -> said().contains("sluice up"));
    ProcessHandle part = service.children().findFirst().orElseThrow();
    part.destroy();
    assertThat(service.onExit().join().exitValue()).isEqualTo(1);
    assertThat(service.descendants()).isEmpty();
    assertThat(said()).doesNotContain("requeue");
  }

  @Test
  void aTrainingThatIsToldToEndIsRequeued() throws IOException {
    announce();
    Process training = start(TRAINERS, Map.of(), "tail", "-f", "/dev/null");
    Patience.await(Patience.MINUTE, () -> said().contains("srun"));
    training.destroy();
    assertThat(training.onExit().join().exitValue()).isZero();
    assertThat(said()).endsWith("scontrol requeue 7\n");
  }

  @Test
  void aTrainingThatFailsIsRequeuedSoManyTimes() throws IOException {
    announce();
    assertThat(start(TRAINERS, Map.of(), "false").onExit().join().exitValue()).isZero();
    assertThat(said()).endsWith("scontrol requeue 7\n");
    Files.writeString(directory.resolve("said"), "");
    Map<String, String> last = Map.of("SLURM_RESTART_COUNT", "3", "RESTARTS", "3");
    assertThat(start(TRAINERS, last, "false").onExit().join().exitValue()).isEqualTo(1);
    assertThat(said()).doesNotContain("requeue");
  }

  @Test
  void aTrainingThatSucceedsHasTheServersOfTheServiceAndEnds() throws IOException {
    announce();
    Process training = start(TRAINERS, Map.of(), "sh", "-c", "test $SLUICE_KAFKA = node:9092");
    assertThat(training.onExit().join().exitValue()).isZero();
    assertThat(said()).doesNotContain("requeue");
  }

  private void announce() throws IOException {
    Files.writeString(directory.resolve("state/endpoint"), "node:9092\n");
  }

  private Process start(Path script, Map<String, String> more, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", script.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("printed").toFile());
    Map<String, String> environment = builder.environment();
    environment.put("SLUICE", directory.toString());
    environment.put("KAFKA_HOME", directory.toString());
    environment.put("SLUICE_STATE", directory.resolve("state").toString());
    environment.put("SLURM_JOB_ID", "7");
    environment.put("SAID", directory.resolve("said").toString());
    environment.merge("PATH", "", (path, none) -> directory.resolve("bin") + ":" + path);
    environment.putAll(more);
    return builder.start();
  }

  private String said() {
    try (Stream<String> lines = Files.lines(directory.resolve("said"))) {
      return lines.map(line -> line + "\n").collect(Collectors.joining());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void program(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.createDirectories(file.getParent());
    assertThat(Files.writeString(file, text).toFile().setExecutable(true)).isTrue();
  }

  private static int exit(String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .join()
        .exitValue();
  }
}
