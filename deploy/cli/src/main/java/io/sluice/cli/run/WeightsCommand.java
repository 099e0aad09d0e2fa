package io.sluice.cli.run;

import io.sluice.control.error.BadInputException;
import io.sluice.control.history.RunFold;
import io.sluice.control.runs.RunAdmin;
import io.sluice.mixture.log.RunState;
import io.sluice.schema.DomainShare;
import io.sluice.schema.SetWeights;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
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
final class WeightsCommand extends RevisionCommand {
  @Option(
      names = "--set",
      paramLabel = "DOMAIN=SHARE",
      description = {
        "A domain's share of the mixture, in [0, 1]; may be given several times.",
        "Where all domains are named, they need not sum to 1, as in a run's file."
      })
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
    RunFold fold = live();
    List<DomainShare> set =
        whole(open(fold.state()), shares).entrySet().stream()
            .map(e -> new DomainShare(e.getKey(), e.getValue()))
            .toList();
    RunAdmin.Answer answer =
        ask(
            fold,
            new SetWeights(
                set, pin == null ? null : pin.pinned && !pin.unpinned, "weights set by hand"));
    report(answer, "weights " + weights(answer));
  }

  /** The domains that can have seats. */
  private static List<String> open(RunState state) {
    BitSet masked = state.masked();
    List<String> domains = state.settings().domains();
    return IntStream.range(0, domains.size())
        .filter(i -> !masked.get(i))
        .mapToObj(domains::get)
        .toList();
  }

  /**
   * The shares of a mixture in which every domain is named, so that they are proportions; else
   * those that were given.
   *
   * @param open domains that can have seats
   */
  static Map<String, Double> whole(List<String> open, Map<String, Double> given) {
    double sum = given.values().stream().mapToDouble(share -> share).sum();
    boolean proportions = given.values().stream().allMatch(share -> share >= 0);
    if (!given.keySet().equals(Set.copyOf(open)) || !proportions || !(sum > 0)) {
      return given;
    }
    Map<String, Double> shares = new LinkedHashMap<>();
    given.forEach((domain, share) -> shares.put(domain, share / sum));
    return shares;
  }
}
