package io.sluice.cli.refine;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.domain.CorpusEnd;
import io.sluice.control.domain.CorpusEnds;
import io.sluice.control.refine.Refineries;
import io.sluice.schema.RefineSpec;
import java.util.ArrayList;
import java.util.List;
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

  @Mixin private JsonFile json = new JsonFile();

  /**
   * What applying it would do.
   *
   * @param refinery as 'refine list' has it
   * @param change whether it is new, or what of one that exists would be other
   */
  record Plan(Map<String, Object> refinery, List<Input> inputs, String change) {}

  /** What would be read of a domain. */
  record Input(String domain, long records, boolean ended) {}

  @Override
  public void run() {
    RefineSpec wanted = file.read();
    RefineChanges.Change change = new RefineChanges(access(), new Refineries(access())).of(wanted);
    print(RefineView.lines(wanted));
    Map<String, CorpusEnd> ends = new CorpusEnds(access()).of(wanted.getInputs());
    List<Input> inputs = new ArrayList<>();
    ends.forEach((input, end) -> inputs.add(new Input(input, end.records(), end.marked())));
    json.write(new Plan(RefineView.of(wanted), inputs, change.word()));
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
