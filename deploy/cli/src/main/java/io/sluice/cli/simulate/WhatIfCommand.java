package io.sluice.cli.simulate;

import io.sluice.cli.options.CliCommand;
import io.sluice.cli.options.JsonFile;
import io.sluice.control.feedback.StandingRounds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sluice whatif}. */
@Command(
    name = "whatif",
    description = {
      "Say what policies would have decided on what a run's trainers measured; nothing is trained.",
      "It is measured of the run's own mixture whatever a policy decides: this does not tell what"
          + " would have come of it. Of a run that was rewound, what stands; of one whose policy,"
          + " weights or domains people changed, what followed."
    })
public final class WhatIfCommand extends CliCommand {
  @Option(names = "--run", required = true, paramLabel = "RUN", description = "Its name.")
  private String run = "";

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "P[:key=value…]",
      description =
          "Policies, each with settings of its own: --policy velocitune:target-fraction=0.4,dga. The"
              + " run's own has its settings but for those that are given. Without"
              + " smoothing.KEY=VALUE the run's smoothing is taken. What the run decided, and the"
              + " static mixture, are always there.")
  private List<String> policies = List.of();

  @Option(
      names = "--every",
      paramLabel = "N",
      description =
          "Batches between two rounds; needed for a run without rounds. Default: the run's.")
  private @Nullable Long every;

  @Option(
      names = "--set",
      paramLabel = "key=value",
      description =
          "A setting of every policy named, such as eta=2 or smoothing.new-weight=0.5; may be"
              + " repeated.")
  private Map<String, String> settings = new TreeMap<>();

  @Mixin private CourseFiles files = new CourseFiles();
  @Mixin private JsonFile json = new JsonFile();

  @Override
  public void run() {
    StandingRounds rounds = StandingRounds.read(access(), run);
    WhatIf question = WhatIf.of(rounds, every);
    WhatIfReport report = question.answer(access(), CandidateArguments.parse(policies, settings));
    files.write(report.title(), report.domains(), report.courses());
    json.write(report.json());
    print(report.lines());
  }
}
