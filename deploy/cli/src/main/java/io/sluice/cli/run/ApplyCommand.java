package io.sluice.cli.run;

import io.sluice.cli.audit.FetchedObjects;
import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.bundle.BundleFile;
import io.sluice.control.bundle.BundleReader;
import io.sluice.control.bundle.RunReplay;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice run apply}. */
@Command(
    name = "apply",
    description = {
      "Start the run of a file. Applying the same file again changes nothing.",
      "With --from, repeat the run of a bundle: the same grants, so the same batches, once the data here"
          + " were found to give them. It ends where the bundle does; fork it there to go on."
    })
final class ApplyCommand extends CliCommand {
  @ArgGroup(multiplicity = "1")
  private Source source = new Source();

  private static final class Source {
    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "The run, in YAML.")
    private @Nullable Path file;

    @Option(
        names = "--from",
        paramLabel = "FILE",
        description = "A bundle that 'run export --bundle' wrote.")
    private @Nullable Path bundle;
  }

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "With --from, the run's name here. Default: that of the bundle.")
  private @Nullable String name;

  @Option(
      names = "--ahead",
      paramLabel = "BATCHES",
      description =
          "With --from, grant so many batches ahead of the trainers and stay until all are granted,"
              + " so that no broker has the whole stream at once. Default: grant all at once.")
  private @Nullable Long ahead;

  @Option(
      names = "--timeout",
      defaultValue = "30",
      paramLabel = "SECONDS",
      description =
          "How long MixJob may take to start the run of a file, and preparing may stand still while first"
              + " weights by tokens wait for it. Default: ${DEFAULT-VALUE}.")
  private int timeout;

  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    if (source.bundle != null) {
      repeat(BundleReader.read(source.bundle));
      return;
    }
    if (name != null || ahead != null) {
      throw misused("--as and --ahead must come with --from");
    }
    RunApplication application = new RunApplication(access(), RunAdmin.commands(access()));
    RunApplication.Applied applied =
        application.apply(
            application.read(Objects.requireNonNull(source.file)),
            Duration.ofSeconds(timeout),
            out()::println);
    json.write(applied);
    print(List.of(applied.line()));
  }

  private void repeat(BundleFile bundle) {
    String as = name == null ? bundle.bundle().head().getRun() : name;
    OptionalLong lead = ahead == null ? OptionalLong.empty() : OptionalLong.of(ahead);
    try (FetchedObjects fetched = FetchedObjects.in(global().home(), this::notice)) {
      RunReplay.Repeated repeated =
          new RunReplay(
                  access(),
                  bundle,
                  as,
                  fetched,
                  lead,
                  () -> UUID.randomUUID().toString().substring(0, 8))
              .apply();
      json.write(repeated);
      print(
          List.of(
              String.format(
                  Locale.ROOT,
                  "run %s %s as %s: %d batches in %d timelines, of which %d were found to be those of"
                      + " the bundle",
                  repeated.run(),
                  repeated.entries() == 0 ? "is repeated already" : "is repeated",
                  repeated.runId(),
                  repeated.batches(),
                  repeated.timelines(),
                  repeated.checked())));
    }
  }
}
