package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.schema.RefineSpec;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what applying a refinery would do. */
@Command(
    name = "plan",
    description =
        "Show what applying a refinery's file would do: what it reads, writes and keeps. Changes"
            + " nothing.")
final class PlanRefinery extends CliCommand {
  @Mixin private FileOption file = new FileOption();

  @Override
  public void run() {
    RefineSpec wanted = file.read();
    RefineChanges.Change change =
        new RefineChanges(access(), RefineCommand.refineries(access())).of(wanted);
    print(RefineView.lines(wanted));
    Map<String, CorpusEnd> ends = new CorpusEnds(access()).of(wanted.getInputs());
    ends.forEach(
        (input, end) ->
            out()
                .printf(
                    Locale.ROOT,
                    "would read %s: %,d records%s%n",
                    input,
                    end.records(),
                    end.marked() ? ", ended" : ", and what comes"));
    out()
        .println(
            switch (change) {
              case NEW -> "would be published, and " + wanted.getDomains().size() + " domains made";
              case NOT_DOCUMENTS ->
                  "would be changed: where its models are, or how its endpoint is asked";
              case NONE -> "is published like this";
            });
  }
}
