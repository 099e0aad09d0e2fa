package io.sluice.cli.run;

import io.sluice.cli.options.JsonFile;
import io.sluice.control.runs.RunAdmin;
import io.sluice.mixture.log.ControlEntry.Revised;
import java.util.Locale;
import java.util.StringJoiner;
import picocli.CommandLine.Mixin;

/** What every command has in common whose answer is a revision of the run's settings or weights. */
abstract class RevisionCommand extends RunChangeCommand {
  @Mixin private JsonFile json = new JsonFile();

  /**
   * What holds, from when on.
   *
   * @param change for people
   */
  record Revision(String run, String change, long fromBatch, int timeline, int mixtureVersion) {}

  /** Says what holds from when on. */
  void report(RunAdmin.Answer answer, String what) {
    Revision revision =
        new Revision(
            run,
            what,
            answer.firstBatch(),
            answer.entry().timeline(),
            ((Revised) answer.entry().body()).snapshot().weightsVersion());
    json.write(revision);
    out()
        .printf(
            Locale.ROOT,
            "run %s: %s, from batch %d (timeline %d, mixture version %d)%n",
            revision.run(),
            revision.change(),
            revision.fromBatch(),
            revision.timeline(),
            revision.mixtureVersion());
    out().flush();
  }

  /** The weights that an answer leads to. */
  static String weights(RunAdmin.Answer answer) {
    var revised = (Revised) answer.entry().body();
    StringJoiner named = new StringJoiner(" ");
    for (int i = 0; i < revised.settings().domains().size(); i++) {
      named.add(
          String.format(
              Locale.ROOT,
              "%s=%.6f",
              revised.settings().domains().get(i),
              revised.snapshot().decided().share(i)));
    }
    return named + (revised.snapshot().pinned() ? " pinned" : "");
  }
}
