package io.sluice.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.TestingSluice;
import io.sluice.cli.loop.ScriptedTrainer;
import io.sluice.cli.loop.TestingPython;
import io.sluice.client.run.RunDirectory;
import io.sluice.lab.docs.MarkdownPage.Block;
import io.sluice.schema.KafkaAccess;
import io.sluice.service.Patience;
import io.sluice.service.broker.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page of the service on node 0, line by line: two addresses of this machine stand for node 0
 * as it sees itself and as trainers do, Kafka's programs are those of the class path, and {@code
 * srun} starts its tasks here.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "others have one loopback address alone")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@EnabledIfSystemProperty(named = "sluice.full", matches = "true")
class NodeZeroPageIT {
  private static final MarkdownPage PAGE = DocsPage.read("recipes/node0.md");
  private static final String NODE_0 = "127.0.0.2";
  private static final Pattern VARIABLE = Pattern.compile("(?m)^export ([A-Z0-9_]+)=");
  private static final Pattern PORT = Pattern.compile("\\b909[2-5]\\b");
  private static final Pattern CHECK = Pattern.compile("`(openssl s_client [^`]*)`");
  private static final Map<String, String> PROGRAMS =
      Map.of(
          "kafka-storage.sh", "kafka.tools.StorageTool",
          "kafka-configs.sh", "kafka.admin.ConfigCommand",
          "kafka-server-start.sh", "kafka.Kafka");

  @TempDir private static Path directory;

  private static final Map<String, String> ports = new LinkedHashMap<>();
  private static final Map<String, String> said = new LinkedHashMap<>();
  private static Newcomer person;

  @BeforeAll
  static void followThePage() throws IOException {
    TestingPython.require("confluent_kafka", "fastavro", "numpy");
    person = new Newcomer(directory);
    for (String port : List.of("9092", "9093", "9094", "9095")) {
      ports.put(port, Integer.toString(Ports.free()));
    }
    writePrograms();
    String where = PAGE.blocks("Where things are").get(0).text();
    assertThat(VARIABLE.matcher(where).results().map(each -> each.group(1)))
        .containsExactlyElementsOf(variables().keySet());
    StringBuilder exports = new StringBuilder("export PATH=" + person.file("bin") + ":$PATH\n");
    variables().forEach((name, value) -> exports.append("export " + name + "=" + value + "\n"));
    Files.writeString(person.file("state"), exports);
    for (String section : PAGE.sections().keySet().stream().skip(1).toList()) {
      if (!section.equals("Where things are") && !section.startsWith("Changing")) {
        follow(section);
      }
    }
  }

  @AfterAll
  static void stop() {
    person.close();
  }

  private static Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("NODE0", NODE_0);
    variables.put("SAN", "IP:" + NODE_0);
    variables.put("KAFKA_HOME", directory.resolve("kafka").toString());
    variables.put("SLUICE", directory.resolve("sluice-home").toString());
    variables.put("SECURE", directory.resolve("secure").toString());
    variables.put("STATE", directory.resolve("var").toString());
    variables.put("SHARED", directory.resolve("shared").toString());
    variables.put("TRAINER", System.getProperty("user.name"));
    return variables;
  }

  private static void writePrograms() throws IOException {
    Path arguments = person.file("classpath.args");
    Files.writeString(arguments, "-cp \"" + System.getProperty("java.class.path") + "\"");
    for (Map.Entry<String, String> program : PROGRAMS.entrySet()) {
      program(
          "kafka/bin/" + program.getKey(),
          "exec java -Xmx512m @" + arguments + " " + program.getValue() + " \"$@\"");
    }
    program("sluice-home/bin/sluice", "exec " + person.file("sluice") + " \"$@\"");
    ProcessBuilder python = TestingPython.process(List.of());
    program(
        "bin/python",
        "PYTHONPATH="
            + python.environment().get("PYTHONPATH")
            + " exec "
            + String.join(" ", python.command())
            + " \"$@\"");
    program(
        "bin/srun",
        """
        tasks=$4
        shift 4
        for ((task = 0; task < tasks; task++)); do
          SLURM_PROCID=$task SLURM_NTASKS=$tasks "$@" &
        done
        wait
        """);
  }

  private static void program(String name, String text) throws IOException {
    Path file = person.file(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/bash\n" + text);
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  private static void follow(String section) throws IOException {
    for (Block block : PAGE.blocks(section)) {
      String text = ported(block.text());
      String[] names = block.language().split(" ", 2);
      Path folder = person.file("secure");
      if (names.length == 2) {
        Files.writeString(folder.resolve(names[1]), text);
      } else if (block.language().equals("yaml")) {
        Files.writeString(block.file(folder), text);
      } else if (block.language().equals("sh") && text.endsWith(" &\n")) {
        goOn(text.substring(0, text.length() - 2));
      } else if (block.language().equals("sh")) {
        said.put(section, said.getOrDefault(section, "") + types(text));
      }
    }
  }

  /** Lines in one shell, which knows what the shells before it were told. */
  private static String types(String text) {
    Path script = person.file("lines.sh");
    String state = person.file("state").toString();
    String lines =
        "set -euo pipefail\nsource %s\n%s\n{ export -p; echo \"cd $PWD\"; } > %s\n"
            .formatted(state, text, state);
    try {
      Files.writeString(script, lines);
      return person.types("bash " + script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line that goes on, once it does its work. */
  private static void goOn(String line) throws IOException {
    Path script = person.file("server-" + line.hashCode() + ".sh");
    Files.writeString(script, "source " + person.file("state") + "\nexec " + line);
    Path out = person.file("server.out");
    Process server = person.start("bash " + script, out);
    Patience.await(
        Duration.ofMinutes(3),
        () -> {
          assertThat(server.isAlive()).as(logs()).isTrue();
          return line.contains(" up ")
              ? Newcomer.read(person.file("var/up.log")).contains("sluice: ready")
              : listens();
        });
  }

  private static boolean listens() {
    return Stream.of("9095", "9092")
        .allMatch(
            port -> {
              try (Socket socket = new Socket()) {
                InetAddress here = InetAddress.getLoopbackAddress();
                socket.connect(
                    new InetSocketAddress(here, Integer.parseInt(ports.get(port))), 1000);
                return true;
              } catch (IOException e) {
                return false;
              }
            });
  }

  private static String logs() {
    return Newcomer.read(person.file("var/kafka.log")) + Newcomer.read(person.file("var/up.log"));
  }

  private static TestingSluice user(String name) {
    boolean trains = name.equals("velo");
    Path settings = person.file((trains ? "shared/" : "secure/") + name + ".properties");
    String server = trains ? NODE_0 + ":" + ports.get("9093") : "127.0.0.1:" + ports.get("9092");
    return new TestingSluice(server, settings, directory);
  }

  @Test
  @Order(1)
  void everyRankOfTheTrainersHasItsShareOfTheRun() {
    // A rank that starts after the others have ended is told so, and has its share all the same.
    List<String> ranks =
        said.get("Trainers").lines().filter(line -> line.startsWith("rank ")).sorted().toList();
    assertThat(ranks)
        .hasSize(8)
        .first()
        .asString()
        .isEqualTo("rank 0 of 8: " + 20 * 128 + " tokens of run velo");
    assertThat(said.get("Checks")).contains("velo", "completed", "160 sequences", "passed");
    assertThat(said.get("The service").lines()).noneMatch(line -> line.startsWith("failure"));
  }

  @Test
  @Order(1)
  void whatTrainersAreGivenIsForTheirAccountAlone() throws IOException {
    Path shared = person.file("shared");
    String own = System.getProperty("user.name");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(shared)))
        .isEqualTo("rwx------");
    assertThat(Files.getOwner(shared).getName()).isEqualTo(own);
    for (String name : List.of("ca.pem", "velo.properties")) {
      Path file = shared.resolve(name);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("r--------");
      assertThat(Files.getOwner(file).getName()).isEqualTo(own);
    }
  }

  @Test
  @Order(2)
  void aTrainerInJavaReadsTheSameFromTheSameAddress() throws IOException {
    KafkaAccess kafka = user("velo").access();
    try (ScriptedTrainer trainer =
        new ScriptedTrainer(kafka, RunDirectory.find(kafka, "velo", Patience.MINUTE))) {
      assertThat(trainer.train(20, 0, (step, domain) -> 0).batches()).hasSize(20);
    }
  }

  @Test
  @Order(3)
  void nobodyDoesWhatIsNotOfTheRole() throws IOException {
    String pages = Files.readString(person.file("secure/pages.yaml"));
    Path other = Files.writeString(person.file("other.yaml"), pages.replace("pages", "other"));
    Map<String, String[]> beyond =
        Map.of(
            "velo", new String[] {"run", "delete", "velo"},
            "crawler", new String[] {"run", "delete", "velo"},
            "jobs", new String[] {"dataset", "apply", "-f", other.toString()},
            "operator", new String[] {"rights", "operator", "--user", "velo", "--apply"});
    beyond.forEach(
        (user, command) -> {
          TestingSluice.Said answer = user(user).run(command);
          assertThat(answer.err())
              .as(user)
              .containsAnyOf("Kafka lets this client in, but not do this", "Not authorized");
          assertThat(answer.exit()).as(user).isEqualTo(3);
        });
  }

  @Test
  @Order(4)
  void aPasswordIsChangedAndACertificateRenewedWhileAllRuns() throws IOException {
    String before = served();
    Path old = directory.resolve("old.properties");
    Files.copy(person.file("secure/crawler.properties"), old);
    types("bash users.sh $SECURE crawler");
    TestingSluice late = new TestingSluice("127.0.0.1:" + ports.get("9092"), old, directory);
    assertThat(late.run("domain", "list").err()).contains("invalid credentials");
    follow("Changing passwords and certificates");
    // Told to read it again, the broker does so a moment after it has answered.
    Patience.await(Duration.ofSeconds(30), NodeZeroPageIT::served, shown -> !shown.equals(before));
    assertThat(user("velo").access().bootstrapServers()).startsWith(NODE_0);
    assertThat(user("operator").does("run", "list")).contains("velo");
  }

  /**
   * The number of the certificate that trainers are shown, once it is held against its authority.
   */
  private static String served() {
    Matcher found = CHECK.matcher(PAGE.text());
    assertThat(found.find()).isTrue();
    // What node 0 is called here is an address.
    String check = ported(found.group(1)).replace("-verify_hostname", "-verify_ip");
    assertThat(types(check + " 2>&1")).contains("Verify return code: 0 (ok)");
    return types(check + " 2>&1 | openssl x509 -serial -noout");
  }

  private static String ported(String text) {
    return PORT.matcher(text).replaceAll(port -> ports.getOrDefault(port.group(), ""));
  }
}
