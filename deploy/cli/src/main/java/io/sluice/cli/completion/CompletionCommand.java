package io.sluice.cli.completion;

import io.sluice.cli.options.CliCommand;
import java.util.Locale;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice completion}. */
@Command(
    name = "completion",
    description =
        "Print what completes commands and options in a shell that sources it, at once by source"
            + " <(./sluice completion bash), or later from a file.")
public final class CompletionCommand extends CliCommand {
  /** What the script completes, as its last lines say it. */
  private static final String REGISTERED = "%s %s.sh %s.bash";

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.BASH;

  /** Shells that read the script, which enables bash's way of completing where zsh reads it. */
  enum Shell {
    BASH("~/.bashrc"),
    ZSH("~/.zshrc");

    private final String startup;

    Shell(String startup) {
      this.startup = startup;
    }

    /** What the script says of itself. */
    String header() {
      return "# To be sourced by %s: source <(sluice completion %s)"
          .formatted(startup, name().toLowerCase(Locale.ROOT));
    }
  }

  @Override
  public void run() {
    out().println(shell.header());
    out().print(script(spec().root().name()));
    out().flush();
  }

  /** Completes the command as it is typed on the path, and as it is typed in a checkout. */
  private String script(String name) {
    return AutoComplete.bash(name, spec().root().commandLine())
        .replace(REGISTERED.replace("%s", name), name + " ./" + name);
  }
}
