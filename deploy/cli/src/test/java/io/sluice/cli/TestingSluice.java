package io.sluice.cli;

import io.sluice.cli.options.GlobalOptions;
import io.sluice.schema.KafkaAccess;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine;

/** The command as a person runs it on a broker. */
public final class TestingSluice {
  private final KafkaAccess kafka;
  private final Path home;

  /**
   * What a command said.
   *
   * @param exit its exit code
   */
  public record Said(int exit, String out, String err) {}

  public TestingSluice(KafkaAccess kafka, Path home) {
    this.kafka = kafka;
    this.home = home;
  }

  public Said run(String... arguments) {
    GlobalOptions global =
        new GlobalOptions(Map.of("SLUICE_KAFKA", kafka.bootstrapServers()), home);
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Sluice.commandLine(global);
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    int exit = command.execute(arguments);
    return new Said(exit, out.toString(), err.toString());
  }
}
