package io.sluice.cli.run;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunFile;
import io.sluice.control.runs.RunRevision;
import io.sluice.schema.RunSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice run diff}. */
@Command(
    name = "diff",
    description = "Say how a file differs from the run of its name, a line for each setting.")
final class DiffCommand extends CliCommand {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The run, in YAML.")
  private Path file = Path.of("");

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    RunFile read = application.read(file);
    RunSpec now = RunAdmin.of(access(), 0).require(read.run()).spec();
    RunSpec wanted = application.resolveAgain(now, read, said -> {});
    List<String> changes = RunRevision.changes(now, wanted);
    json.write(Map.of("run", wanted.getRun(), "changes", changes));
    print(changes.isEmpty() ? List.of("run " + wanted.getRun() + " is like the file") : changes);
  }
}
