package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.runs.RunAdmin;
import io.sluice.schema.DomainShare;
import io.sluice.schema.SetWeights;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice run weights}. */
@Command(
    name = "weights",
    description = {
      "Set domain weights by hand, from the next granted batch on.",
      "Domains that are not named divide the rest in their old proportions. Unless the weights are"
          + " pinned, the policy's next round moves them on."
    })
final class WeightsCommand extends RunChangeCommand {
  @Option(
      names = "--set",
      paramLabel = "DOMAIN=SHARE",
      description = "A domain's share of the mixture, in [0, 1]; may be given several times.")
  private Map<String, Double> shares = new LinkedHashMap<>();

  @ArgGroup(exclusive = true)
  private @Nullable Pin pin;

  /** Whether rounds may move the weights. */
  static final class Pin {
    @Option(names = "--pin", description = "Let rounds go on but keep these weights.")
    private boolean pinned;

    @Option(names = "--unpin", description = "Let rounds move the weights again.")
    private boolean unpinned;
  }

  @Override
  public void run() {
    if (shares.isEmpty() && pin == null) {
      throw new BadInputException("give at least one of --set DOMAIN=SHARE, --pin and --unpin");
    }
    List<DomainShare> set =
        shares.entrySet().stream().map(e -> new DomainShare(e.getKey(), e.getValue())).toList();
    RunAdmin.Answer answer =
        ask(
            live(),
            new SetWeights(
                set, pin == null ? null : pin.pinned && !pin.unpinned, "weights set by hand"));
    report(answer, "weights " + weights(answer));
  }
}
