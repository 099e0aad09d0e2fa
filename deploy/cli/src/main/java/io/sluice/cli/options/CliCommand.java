package io.sluice.cli.options;

import io.sluice.schema.KafkaAccess;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command has: the global options, and where it prints. */
@Command(mixinStandardHelpOptions = true)
public abstract class CliCommand implements Runnable {
  /** Under this name the outermost command has the {@link GlobalOptions} mixed in. */
  public static final String GLOBAL = "global";

  @Spec private CommandSpec spec = CommandSpec.create();

  /** The options that may stand before or after the name of any command. */
  protected final GlobalOptions global() {
    return (GlobalOptions) Objects.requireNonNull(spec.root().mixins().get(GLOBAL)).userObject();
  }

  /** The command as it was given. */
  protected final CommandSpec spec() {
    return spec;
  }

  /** How to reach Kafka, as the global options say, of which somebody has taken a connection. */
  protected final KafkaAccess access() {
    return global().reachable();
  }

  /** Where the command's results go. */
  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where it says what is not a result. */
  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Says in a line what is not a result, and is to be read at once. */
  protected final void notice(String line) {
    err().println("sluice: " + line);
    err().flush();
  }

  /** Prints results that may be read at once, a line each. */
  protected final void print(List<String> lines) {
    lines.forEach(out()::println);
    out().flush();
  }

  /** The error for arguments that do not go together. */
  protected final ParameterException misused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
