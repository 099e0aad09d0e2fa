package io.sluice.cli.run;

import io.sluice.cli.options.JsonFile;
import io.sluice.control.error.BadInputException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunCatalog;
import io.sluice.control.runs.RunFile;
import io.sluice.control.runs.RunFork;
import io.sluice.schema.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice run fork}. */
@Command(
    name = "fork",
    description = {
      "Start a new run that goes on from the end of a batch of another, with its state as of then.",
      "Its stream, log and trainers are its own. With a file, its settings are the file's; another"
          + " policy starts from the weights in force."
    })
final class ForkCommand extends RunChangeCommand {
  @Option(
      names = "--at-batch",
      required = true,
      paramLabel = "B",
      description = "A granted batch of the run; the fork's first batch is the next.")
  private long batch;

  @Option(names = "--as", required = true, paramLabel = "NAME", description = "The fork's name.")
  private String name = "";

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "The fork's settings, in YAML. Default: those of the run at the batch.")
  private @Nullable Path file;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    requireName();
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    RunFork fork = new RunFork(application, hand().requireStarted(run), batch);
    Optional<RunFile> asked = Optional.ofNullable(file).map(application::read);
    RunApplication.Applied started =
        fork.start(name, asked, Duration.ofSeconds(timeout), out()::println);
    json.write(started);
    print(List.of(started.line()));
  }

  private void requireName() {
    Topics.requireName("--as", name);
    if (RunCatalog.read(access()).find(name).isPresent()) {
      throw new BadInputException("--as must be a new name: run '" + name + "' exists");
    }
  }
}
