package io.sluice.lab.chaos;

import static io.sluice.lab.chaos.history.Outcome.INVOKE;
import static io.sluice.lab.chaos.history.Outcome.OK;

import io.sluice.control.error.CheckFailedException;
import io.sluice.lab.chaos.fault.FaultKind;
import io.sluice.lab.chaos.fault.FaultPlan;
import io.sluice.lab.chaos.fault.FaultReport;
import io.sluice.lab.chaos.fault.WallClocks;
import io.sluice.lab.chaos.history.Checker;
import io.sluice.lab.chaos.history.History;
import io.sluice.lab.chaos.history.MachineClock;
import io.sluice.lab.chaos.network.Network;
import io.sluice.lab.chaos.trainer.PlannedRun;
import io.sluice.lab.chaos.trainer.TrainedRun;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.cluster.ClusterSettings;
import io.sluice.service.cluster.Surroundings;
import io.sluice.service.local.LocalSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;

/** The faults of a seed, one after the other, on a cluster that trainers train from. */
final class Chaos {
  private static final Duration RECOVERY = Duration.ofMinutes(4);
  private static final Duration FIRST_BATCHES = Duration.ofMinutes(2);

  /** A lost process is noticed after the heartbeat's timeout only; until then all looks well. */
  private static final Duration NOTICED = Duration.ofSeconds(6);

  /** Faults after one of which a person sets weights. */
  private static final int BETWEEN_COMMANDS = 5;

  private static final Duration HARMLESS = Duration.ofSeconds(2);

  private final ChaosSettings settings;
  private final Optional<Checker> checker;
  private final MachineClock clock;
  private final Consumer<String> events;
  private final List<FaultReport> injected = new ArrayList<>();

  Chaos(
      ChaosSettings settings,
      Optional<Checker> checker,
      InstantSource clock,
      Consumer<String> events) {
    this.settings = settings;
    this.checker = checker;
    this.clock = MachineClock.of(clock);
    this.events = events;
  }

  /**
   * Runs it all.
   *
   * @throws CheckFailedException if a run does not go on after a fault
   */
  ChaosReport run() {
    Path directory = settings.stateDirectory();
    Path histories = directory.resolve("chaos");
    ClusterSettings cluster =
        ClusterSettings.of(LocalSettings.in(directory), settings.taskManagers())
            .withBrokers(settings.brokers())
            .withDeliveryTimeout(settings.deliveryTimeout());
    Optional<WallClocks> clocks =
        settings.clocksJump() ? WallClocks.in(directory.resolve("clocks")) : Optional.empty();
    try (History history = History.open(histories, "chaos", clock);
        Network network = new Network();
        ClusterService service = ClusterService.start(cluster, around(network, clocks), events)) {
      Workload workload = new Workload(service.access(), histories, history);
      workload.prepare();
      Checker.Bounds bounds = new Checker.Bounds(RECOVERY, settings.clocksDiffer());
      Checks checks = new Checks(checker, service.access(), histories, bounds);
      Runs runs = new Runs(service, workload, checks, histories, settings.pace(), clock);
      PlannedRun.all(settings.python()).forEach(plan -> runs.start(plan, settings.aged()));
      Flow flow = new Flow(service, runs, clock, settings.seed());
      flow.await(FIRST_BATCHES, "the start");
      service.renew();
      flow.await(FIRST_BATCHES, "the processes began anew");
      age(runs);
      Faults faults =
          new Faults(
              service,
              runs,
              new ProcessFaults(service, runs, network, clocks),
              new BrokerFaults(service, history, clock),
              new StoreFaults(workload.store(), runs),
              settings.deliveryTimeout());
      for (FaultPlan.Planned planned :
          FaultPlan.of(settings.seed(), settings.faults(), settings.kinds())) {
        Waiting.pass(planned.pause());
        history.add(INVOKE, "fault", line -> line.put("what", planned.kind().label()));
        injected.add(inject(planned, faults, runs, flow));
        history.add(OK, "fault", line -> line.put("what", planned.kind().label()));
        if (planned.number() % BETWEEN_COMMANDS == 2) {
          workload.reweigh(runs.steady(planned.random()).run(), planned.random());
        }
      }
      runs.all(false).forEach(runs::verifier);
      runs.all(true).forEach(runs::verifier);
      events.accept("the checker reads all topics");
      checks.checkAll();
      return new ChaosReport(
          settings.seed(),
          settings.aged(),
          List.copyOf(injected),
          Goal.of(injected, settings.brokers(), PlannedRun.AHEAD),
          runs.verdicts(),
          checks.outcome());
    }
  }

  /** Nothing stands between the processes if nothing there is to fail; nor with the clocks. */
  private Surroundings around(Network network, Optional<WallClocks> clocks) {
    return new Surroundings(
        settings.kinds().contains(FaultKind.ONE_WAY_PARTITION)
            ? network
            : IntUnaryOperator.identity(),
        clocks.map(WallClocks::environment).orElse(Map.of()));
  }

  /** Lets the trainers hurry until the logs are long. */
  private void age(Runs runs) {
    if (settings.aged() == 0) {
      return;
    }
    events.accept("the runs age by " + settings.aged() + " batches");
    long least = runs.leastAccepted();
    while (least < settings.aged()) {
      long before = least;
      if (!Waiting.until(() -> runs.leastAccepted() > before, FIRST_BATCHES)) {
        throw new CheckFailedException(
            "a run that ages stands at batch " + before + " for " + FIRST_BATCHES);
      }
      least = runs.leastAccepted();
    }
    events.accept("the runs have aged");
  }

  private FaultReport inject(FaultPlan.Planned planned, Faults faults, Runs runs, Flow flow) {
    FaultKind kind = planned.kind();
    String fault = "fault " + planned.number();
    events.accept(fault + " of " + settings.faults() + ": " + kind.description());
    long start = clock.millis();
    String target = faults.inject(kind, planned.random());
    long held = clock.millis() - start;
    Waiting.pass(kind.isFelt() ? NOTICED : HARMLESS);
    flow.await(RECOVERY, fault + ", " + kind.label() + " (" + target + ")");
    Map<String, Long> waits = new TreeMap<>();
    long flowing = 0;
    for (TrainedRun run : runs.all()) {
      Liveness liveness = Liveness.of(run.journal(), start);
      waits.put(run.name(), liveness.longestPause());
      flowing = Math.max(flowing, liveness.flowingAfter(start));
    }
    events.accept(fault + " (" + target + "): flowing after " + flowing + " ms");
    return new FaultReport(planned.number(), kind.label(), target, held, flowing, waits);
  }
}
