package io.sluice.cli.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.options.GlobalOptions;
import io.sluice.cli.report.JsonReport;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunRevision;
import io.sluice.schema.RunSpec;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice run diff}. */
@Command(
    name = "diff",
    mixinStandardHelpOptions = true,
    description = "Say how a file differs from the run of its name, a line for each setting.")
final class DiffCommand implements Callable<Integer> {
  private final GlobalOptions global;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "The run, in YAML.")
  private Path file = Path.of("");

  @Option(names = "--json", paramLabel = "FILE", description = "Write the differences as JSON.")
  private @Nullable Path json;

  DiffCommand(GlobalOptions global) {
    this.global = global;
  }

  @Override
  public Integer call() {
    RunApplication application =
        new RunApplication(global.access(), RunAdmin.commands(global.access()));
    RunSpec wanted = application.resolve(application.read(file), said -> {});
    RunSpec now = RunAdmin.of(global.access(), 0).require(wanted.getRun()).spec();
    List<String> changes = RunRevision.changes(now, wanted);
    if (json != null) {
      ObjectNode report = new ObjectMapper().createObjectNode();
      report.put("run", wanted.getRun());
      changes.forEach(report.putArray("changes")::add);
      JsonReport.write(json, report);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (changes.isEmpty()) {
      out.println("run " + wanted.getRun() + " is like the file");
    }
    changes.forEach(out::println);
    return 0;
  }
}
