package io.sluice.mixture.policy.builtin;

import io.sluice.mixture.policy.Cadence;
import io.sluice.mixture.policy.Extent;
import io.sluice.mixture.policy.Metrics;
import io.sluice.mixture.policy.Observation;
import io.sluice.mixture.policy.Policy;
import io.sluice.mixture.policy.PolicyFactory;
import io.sluice.mixture.policy.PolicySettings;
import io.sluice.mixture.policy.StateReader;
import io.sluice.mixture.policy.StateWriter;
import io.sluice.mixture.policy.update.AsyncDecision;
import io.sluice.mixture.policy.update.Scores;
import io.sluice.mixture.targets.SettlingRule;
import io.sluice.mixture.targets.SettlingRule.Status;
import io.sluice.mixture.targets.TargetEstimate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the weights and estimates the loss that each domain would reach with them (Velocitune,
 * section 3.2 and appendix B): a run of its own, whose targets a later run names.
 *
 * <p>After every round, a law {@code L(D) = floor + scale / D^exponent} is fitted to each domain's
 * held-out losses and gives its target at the full size. The run is complete once a round moved no
 * target by sigma or more, or once it has used its share of the full size. A law that cannot be
 * believed is refused, see {@link TargetEstimate}; the last loss then stands in for the target. A
 * round in which a domain was not measured is left out of that domain's law. The fits are worked on
 * outside the deciding thread.
 */
final class EstimateTargetsPolicy implements Policy {
  static final String NAME = "estimate-targets";
  private static final int VERSION = 1;
  private static final int MOST_NAMED = 16;

  /**
   * How an estimation goes.
   *
   * @param at what the targets are for; null for the whole run
   * @param warmUp last batch whose losses are not used
   * @param path of the settings, for messages
   */
  record Settings(SettlingRule rule, @Nullable Extent at, long warmUp, String path) {}

  /**
   * What is remembered.
   *
   * @param sizes sequences at each point
   * @param losses points × domains, row-major; NaN where none was measured
   * @param targets of each domain at the last point; NaN where there is none yet
   */
  private record State(
      double[] shares, double[] initial, double[] sizes, double[] losses, double[] targets) {
    static State decode(byte[] bytes) {
      StateReader reader = StateReader.ofVersion(NAME, VERSION, bytes);
      return new State(
          reader.array(), reader.array(), reader.array(), reader.array(), reader.array());
    }

    byte[] encode() {
      return StateWriter.ofVersion(VERSION)
          .put(shares)
          .put(initial)
          .put(sizes)
          .put(losses)
          .put(targets)
          .bytes();
    }

    State with(double size, double[] more) {
      double[] longer = Arrays.copyOf(sizes, sizes.length + 1);
      longer[sizes.length] = size;
      double[] rows = Arrays.copyOf(losses, losses.length + more.length);
      System.arraycopy(more, 0, rows, losses.length, more.length);
      return new State(shares, initial, longer, rows, targets);
    }
  }

  private final List<String> domains;
  private final Settings settings;
  private final @Nullable Cadence cadence;
  private final AsyncDecision ahead = new AsyncDecision();

  EstimateTargetsPolicy(List<String> domains, Settings settings, @Nullable Cadence cadence) {
    this.domains = domains;
    this.settings = settings;
    this.cadence = cadence;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public List<String> metrics() {
    return List.of(Metrics.EVAL_LOSS);
  }

  @Override
  public boolean startsFromStepZero() {
    return true;
  }

  @Override
  public Policy inRun(Cadence run) {
    if (settings.at == null && run.batches() == 0) {
      throw new IllegalArgumentException(
          settings.path + ".at must be given in a run without an end: it is not");
    }
    return new EstimateTargetsPolicy(domains, settings, run);
  }

  @Override
  public byte[] initialState(double[] shares) {
    double[] none = new double[0];
    return new State(shares, none, none, none, Scores.unknown(shares.length)).encode();
  }

  @Override
  public boolean isReady(byte[] state, Observation observation) {
    return ahead.isDone(state, observation.step(), () -> estimated(state, observation));
  }

  @Override
  public Decision decide(byte[] state, Observation observation) {
    return ahead.get(state, observation.step(), () -> estimated(state, observation));
  }

  private Decision estimated(byte[] bytes, Observation observation) {
    State before = State.decode(bytes);
    double[] losses = observation.means(Metrics.EVAL_LOSS);
    if (before.initial.length == 0) {
      State begun = new State(before.shares, losses, before.sizes, before.losses, before.targets);
      return new Decision(begun.encode(), before.shares, new double[0]);
    }
    if (observation.step() <= settings.warmUp) {
      return new Decision(bytes, before.shares, new double[0]);
    }
    Cadence run = java.util.Objects.requireNonNull(cadence, "an estimation is in a run");
    double full = fullSize(run);
    State state = before.with((double) run.sequencesIn(observation.step()), losses);
    List<@Nullable TargetEstimate> estimates =
        IntStream.range(0, domains.size()).mapToObj(i -> estimate(state, i, full)).toList();
    double[] targets = new double[domains.size()];
    double moved = 0;
    for (int i = 0; i < targets.length; i++) {
      TargetEstimate estimate = estimates.get(i);
      targets[i] = estimate == null ? Double.NaN : estimate.loss();
      double move = Math.abs(targets[i] - before.targets[i]);
      moved = Double.isNaN(move) ? Double.POSITIVE_INFINITY : Math.max(moved, move);
    }
    int points = state.sizes.length;
    Status status = settings.rule.status(points, moved, state.sizes[points - 1] / full);
    State after = new State(state.shares, state.initial, state.sizes, state.losses, targets);
    return new Decision(
        after.encode(),
        after.shares,
        Arrays.stream(targets).map(target -> Double.isNaN(target) ? 0 : target).toArray(),
        Collections.emptySortedMap(),
        note(status, moved, estimates),
        status != Status.GOING_ON);
  }

  private double fullSize(Cadence run) {
    Extent at = settings.at;
    if (at == null) {
      return run.sequencesIn(run.batches());
    }
    return at.inSequences() ? at.count() : run.sequencesIn(at.count());
  }

  /** The target of a domain; null while nothing was measured of it. */
  private static @Nullable TargetEstimate estimate(State state, int domain, double full) {
    int k = state.shares.length;
    int[] measured =
        IntStream.range(0, state.sizes.length)
            .filter(point -> state.losses[point * k + domain] > 0)
            .toArray();
    if (measured.length == 0) {
      return null;
    }
    double initial = state.initial[domain];
    return TargetEstimate.of(
        Arrays.stream(measured).mapToDouble(point -> state.sizes[point]).toArray(),
        Arrays.stream(measured).mapToDouble(point -> state.losses[point * k + domain]).toArray(),
        initial > 0 ? initial : Double.POSITIVE_INFINITY,
        full);
  }

  private String note(Status status, double moved, List<@Nullable TargetEstimate> estimates) {
    if (status == Status.GOING_ON) {
      return Double.isInfinite(moved)
          ? "targets are not settled yet"
          : text("targets moved by %.2g nats", moved);
    }
    StringBuilder note = new StringBuilder();
    note.append(
        status == Status.SETTLED
            ? text("targets have settled, the last round moved them by %.2g nats: ", moved)
            : text("%.0f %% of the tokens are used, targets are: ", 100 * settings.rule.cap()));
    for (int i = 0; i < Math.min(MOST_NAMED, domains.size()); i++) {
      TargetEstimate estimate = estimates.get(i);
      note.append(i == 0 ? "" : ", ").append(domains.get(i));
      note.append(estimate == null ? " unknown" : text(" %.4f", estimate.loss()));
      if (estimate instanceof TargetEstimate.Rejected) {
        note.append(" (its last loss, no law fits)");
      }
    }
    return note.append(domains.size() > MOST_NAMED ? ", …" : "").toString();
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Takes the settling rule, the full size and the warm-up. */
  public record Factory() implements PolicyFactory {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Policy create(PolicySettings read, List<String> domains) {
      SettlingRule rule = SettlingRule.DEFAULT;
      return new EstimateTargetsPolicy(
          List.copyOf(domains),
          new Settings(
              new SettlingRule(
                  read.number("sigma", rule.sigma(), Double.MIN_VALUE, 1e6),
                  (int) read.whole("min-points", rule.minPoints(), rule.minPoints(), 1 << 20),
                  read.number("cap", rule.cap(), Double.MIN_VALUE, 1)),
              read.extent("at"),
              read.whole("warm-up", 0, 0, 1L << 52),
              read.path("").replaceAll("\\.$", "")),
          null);
    }
  }
}
