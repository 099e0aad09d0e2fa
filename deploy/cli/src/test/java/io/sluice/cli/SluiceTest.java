package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.GlobalOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class SluiceTest {
  private static final String NOWHERE = "127.0.0.1:1";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir Path home;

  @Test
  void helpAndVersionSucceed() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("dataset", "ingest", "up", "Exit codes:");
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).contains("sluice development");
  }

  @Test
  void everyCommandHasHelp() {
    CommandLine root = commandLine();
    assertThat(root.getSubcommands()).isNotEmpty();
    root.getSubcommands().keySet().forEach(name -> assertThat(run(name, "--help")).isZero());
    assertThat(run("dataset", "apply", "--help")).isZero();
  }

  @Test
  void badUsageIsNamed() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString()).contains("sluice: a command is missing");
    assertThat(run("ingets")).isEqualTo(2);
    assertThat(err.toString()).contains("'ingets'").contains("See 'sluice --help'");
    assertThat(run("ingest", "file")).isEqualTo(2);
    assertThat(err.toString()).contains("sluice: --domain or --dataset is missing");
    assertThat(run("ingest", "--domain", "a")).isEqualTo(2);
    assertThat(err.toString()).contains("PATH is missing");
    assertThat(run("ingest", "--domain", "a", "--topic-format", "json", "a.txt")).isEqualTo(2);
    assertThat(err.toString()).contains("--topic-format and what is said of a topic's");
    assertThat(run("dataset")).isEqualTo(2);
    assertThat(err.toString())
        .contains("a command is missing: apply, delete, index, list, show or validate");
    assertThat(run("deadletter")).isEqualTo(2);
    assertThat(err.toString()).contains("a command is missing: list");
  }

  @Test
  void badInputNamesTheFieldTheRangeAndTheValue() throws IOException {
    Path file = Files.writeString(home.resolve("a.txt"), "text");
    assertThat(run("ingest", "--domain", "a/b", file.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("domain must be 1 to 63 letters").contains("'a/b'");
    assertThat(run("ingest", "--domain", "a", "--max-document", "1G", file.toString()))
        .isEqualTo(2);
    assertThat(err.toString()).contains("--max-document must be from 1 to 60Mi bytes: '1G'");
    assertThat(run("ingest", "--domain", "a", home.resolve("none").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("PATH must exist: " + home.resolve("none"));
    assertThat(run("up", "--port", "70000", "--state-dir", home.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("port must be from 1 to 65535, or 0 for any: 70000");
  }

  /** As in a process of its own, where nobody has said where output goes. */
  @Test
  void jsonOnTheStandardOutputIsAlone() throws IOException {
    PrintStream outBefore = System.out;
    PrintStream errBefore = System.err;
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    System.setOut(new PrintStream(json, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(text, true, StandardCharsets.UTF_8));
    try {
      CommandLine root = Sluice.commandLine(new GlobalOptions(Map.of(), home), further -> {});
      assertThat(
              root.execute(
                  "simulate",
                  "--scenario",
                  "low-data",
                  "--steps",
                  "40",
                  "--policy",
                  "dga",
                  "--every",
                  "20",
                  "--json",
                  "-"))
          .isZero();
    } finally {
      System.setOut(outBefore);
      System.setErr(errBefore);
    }
    assertThat(new ObjectMapper().readTree(json.toByteArray()).path("policies").isEmpty())
        .isFalse();
    assertThat(json.toString(StandardCharsets.UTF_8)).startsWith("{").endsWith("}\n");
    assertThat(text.toString(StandardCharsets.UTF_8)).contains("low-data");
  }

  @Test
  void aDatasetFileIsCheckedWithoutKafka() throws IOException {
    Path good =
        Files.writeString(
            home.resolve("good.yaml"),
            "dataset: demo\nsequence-length: 128 tokens\ndomains: [java, wiki]\n");
    assertThat(run("dataset", "validate", "-f", good.toString())).isZero();
    assertThat(out.toString()).contains("sequence-length: 128 tokens", "domains: [java, wiki]");

    Path bad =
        Files.writeString(
            home.resolve("bad.yaml"), "dataset: demo\nsequence-length: 0\ndomains: [java]\n");
    assertThat(run("dataset", "validate", "-f", bad.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(bad + ": 'sequence-length' must be a whole number")
        .contains("found '0'");
  }

  @Test
  void aKafkaThatIsNotKnownOrNotNamedWellIsBadInput() {
    assertThat(run("dataset", "list")).isEqualTo(2);
    assertThat(err.toString()).contains("no Kafka is known: start one with 'sluice up'");
    assertThat(run("dataset", "list", "--kafka", "nonsense")).isEqualTo(2);
    assertThat(err.toString()).contains("--kafka must be HOST:PORT").contains("'nonsense'");
  }

  @Test
  void aKafkaThatDoesNotAnswerIsUnreachable() {
    assertThat(run("--kafka", NOWHERE, "dataset", "list")).isEqualTo(3);
    assertThat(err.toString())
        .contains("Kafka is unreachable, tried for 3s: " + NOWHERE + ": ")
        .contains("given by --kafka: start it there, let this machine through, or name another");
    assertThat(err.toString()).doesNotContain("\tat ");
  }

  @Test
  void anUnexpectedFailureIsOneLineAndItsTraceIsKept() throws IOException {
    CommandLine root = commandLine();
    root.addSubcommand(new Broken()).setErr(new PrintWriter(err, true));
    assertThat(root.execute("broken")).isEqualTo(70);
    assertThat(err.toString())
        .startsWith("sluice: unexpected java.lang.IllegalStateException: a bug; the stack trace")
        .doesNotContain("\tat ");
    try (var files = Files.list(home.resolve("logs"))) {
      assertThat(files).singleElement().asString().contains("failure-");
    }
    assertThat(root.execute("broken", "--debug")).isEqualTo(70);
    assertThat(err.toString()).contains("\tat ");
  }

  @Test
  void pluginsMustBeJarsOnTheClassPath() throws IOException {
    Path none = home.resolve("none");
    assertThat(run("dataset", "list", "--plugins", none.toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains("sluice: --plugins must be a directory of jars: " + none)
        .contains("See 'sluice dataset list --help'");
    assertThat(run("--plugins", none.toString(), "simulate", "--help")).isZero();

    Path folder = Files.createDirectory(home.resolve("plugins"));
    Path broken = Files.writeString(folder.resolve("broken.jar"), "no jar");
    assertThat(run("--plugins", folder.toString(), "dataset", "list")).isEqualTo(2);
    assertThat(err.toString()).contains("--plugins must hold jars: " + broken);

    Path jar = folder.resolve("policy.jar");
    new JarOutputStream(Files.newOutputStream(jar), new Manifest()).close();
    Files.delete(broken);
    GlobalOptions fromEnvironment =
        new GlobalOptions(Map.of("SLUICE_PLUGINS", folder.toString()), home);
    CommandLine root =
        Sluice.commandLine(fromEnvironment, further -> {}).setErr(new PrintWriter(err, true));
    assertThat(root.execute("dataset", "list")).isEqualTo(2);
    assertThat(err.toString())
        .contains("$SLUICE_PLUGINS is put on the class path by the launcher 'sluice'")
        .contains(jar.toString());
  }

  private int run(String... arguments) {
    return commandLine().execute(arguments);
  }

  private CommandLine commandLine() {
    return Sluice.commandLine(new GlobalOptions(Map.of(), home), further -> {})
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true));
  }

  @Command(name = "broken")
  static final class Broken implements Runnable {
    @Override
    public void run() {
      throw new IllegalStateException("a bug");
    }
  }
}
