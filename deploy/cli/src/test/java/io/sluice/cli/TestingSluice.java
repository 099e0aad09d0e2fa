package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.schema.KafkaAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** The command as a person runs it on a broker. */
public final class TestingSluice {
  private final String bootstrapServers;
  private final String prefixes;
  private final List<String> options;
  private final Path home;

  /**
   * What a command said.
   *
   * @param exit its exit code
   */
  public record Said(int exit, String out, String err) {}

  public TestingSluice(KafkaAccess kafka, Path home) {
    this(kafka.bootstrapServers(), kafka.topics().prefixes(), List.of(), home);
  }

  /** The command with a file of client settings and the standard prefix. */
  public TestingSluice(String bootstrapServers, Path kafkaConfig, Path home) {
    this(bootstrapServers, kafkaConfig, "sluice.", home);
  }

  /** The command with a file of client settings. */
  public TestingSluice(String bootstrapServers, Path kafkaConfig, String prefix, Path home) {
    this(bootstrapServers, prefix, List.of("--kafka-config", kafkaConfig.toString()), home);
  }

  private TestingSluice(String bootstrapServers, String prefixes, List<String> options, Path home) {
    this.bootstrapServers = bootstrapServers;
    this.prefixes = prefixes;
    this.options = options;
    this.home = home;
  }

  /** What the command's options come to. */
  public KafkaAccess access() {
    GlobalOptions global = global();
    List<String> arguments = new ArrayList<>(options);
    arguments.addAll(List.of("run", "list"));
    Sluice.commandLine(global, further -> {}).parseArgs(arguments.toArray(String[]::new));
    return global.access();
  }

  /** What a command printed that succeeds and complains of nothing. */
  public String does(String... arguments) {
    Said said = run(arguments);
    assertThat(said.err()).isEmpty();
    assertThat(said.exit()).isZero();
    return said.out();
  }

  /** What a command printed that succeeds and prints JSON. */
  public JsonNode json(String... arguments) throws IOException {
    Said said = run(arguments);
    assertThat(said.exit()).as(said.err()).isZero();
    return new ObjectMapper().readTree(said.out());
  }

  public Said run(String... arguments) {
    GlobalOptions global = global();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Sluice.commandLine(global, further -> {});
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(arguments));
    int exit = command.execute(all.toArray(String[]::new));
    return new Said(exit, out.toString(), err.toString());
  }

  private GlobalOptions global() {
    return new GlobalOptions(
        Map.of("SLUICE_KAFKA", bootstrapServers, "SLUICE_PREFIX", prefixes), home);
  }
}
