package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunAdmin;
import io.sluice.control.runs.RunApplication;
import io.sluice.control.runs.RunRevision;
import io.sluice.mixture.log.ControlEntry.Revised;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RunSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run policy}. */
@Command(
    name = "policy",
    description = {
      "Let another policy, or the same with other settings, decide from the next granted batch on.",
      "It starts from the weights in force, which stay until its first round closes: for more than"
          + " one and at most two times --every batches, and apply.lag, so that trainers read of"
          + " the change before they must measure for it. That many may be granted at once.",
      "With a file, every setting that a run may change is taken from it: smoothing, lead and"
          + " time-outs too."
    })
final class PolicyCommand extends RevisionCommand {
  @ArgGroup(exclusive = true, multiplicity = "1")
  private @Nullable Source source;

  @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of --name.")
  private Map<String, String> settings = new TreeMap<>();

  @Option(
      names = "--every",
      paramLabel = "STEPS",
      description = "Steps between rounds of --name. Default: the run's, if it has rounds.")
  private @Nullable Long every;

  /** Where the policy is named. */
  static final class Source {
    @Option(
        names = {"-f", "--file"},
        paramLabel = "FILE",
        description = "A run, in YAML.")
    private @Nullable Path file;

    @Option(names = "--name", paramLabel = "POLICY", description = "The policy's name.")
    private String name = "";
  }

  @Override
  public void run() {
    RunFold fold = live();
    RunSpec now = fold.spec();
    RunSpec wanted = wanted(now);
    List<String> changes = RunRevision.changes(now, wanted);
    if (changes.isEmpty()) {
      out().println("run " + run + " is like that already");
      return;
    }
    String why = "changed by hand: " + String.join("; ", changes);
    RunAdmin.Answer answer =
        ask(
            fold,
            new ReviseRun(wanted, List.of(), why, fold.state().position().serial(), List.of()));
    report(answer, "policy " + wanted.getPolicy());
    warn(why, answer.entry().why());
    var revised = (Revised) answer.entry().body();
    if (revised.settings().updateEvery() > 0) {
      long last = revised.settings().lastBatchOf(revised.snapshot().round());
      print(List.of("its first round decides from batch " + (last + 1) + " on"));
    }
  }

  /** What the log says of a change besides what was asked for. */
  private void warn(String asked, String answered) {
    if (answered.length() > asked.length() && answered.startsWith(asked + "; ")) {
      notice(answered.substring(asked.length() + 2));
    }
  }

  private RunSpec wanted(RunSpec now) {
    Source from = java.util.Objects.requireNonNull(source);
    if (from.file == null) {
      boolean rounds = !from.name.equals("static");
      long steps = every != null ? every : rounds ? now.getUpdateEvery() : 0;
      return RunRevision.policy(now, from.name, settings, steps, now.getLag());
    }
    if (!settings.isEmpty() || every != null) {
      throw new BadInputException("--set and --every go with --name, not with --file");
    }
    return new RunApplication(access(), RunAdmin.commands(access()))
        .revision(now, from.file, out()::println);
  }
}
