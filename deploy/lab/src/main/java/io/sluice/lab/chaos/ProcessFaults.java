package io.sluice.lab.chaos;

import io.sluice.control.error.BadInputException;
import io.sluice.lab.chaos.fault.FullDisk;
import io.sluice.lab.chaos.fault.Signals;
import io.sluice.lab.chaos.fault.WallClocks;
import io.sluice.lab.chaos.network.Network;
import io.sluice.lab.chaos.trainer.TrainerProgram;
import io.sluice.lab.chaos.trainer.Waiting;
import io.sluice.service.cluster.ClusterService;
import io.sluice.service.supervise.SupervisedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;

/** What goes wrong with processes, whatever they do. */
record ProcessFaults(
    ClusterService service, Runs runs, Network network, Optional<WallClocks> clocks) {
  /** By which a clock is wrong at most. */
  static final Duration LARGEST_JUMP = Duration.ofHours(1);

  private static final Duration STOPPED = Duration.ofMillis(400);
  private static final Duration SMALLEST_JUMP = Duration.ofMinutes(1);
  private static final Duration RUNNING = Duration.ofMillis(100);

  String kill(SupervisedProcess process) {
    process.kill();
    return process.name();
  }

  String killAll(List<SupervisedProcess> processes) {
    processes.forEach(SupervisedProcess::kill);
    return "all";
  }

  String freeze(SupervisedProcess process, Duration time) {
    long pid = process.pid();
    Signals.stop(pid);
    try {
      Waiting.pass(time);
    } finally {
      Signals.goOn(pid);
    }
    return told(process.name(), time);
  }

  /** Stops it again and again: everything that it does takes long. */
  String slow(SupervisedProcess process, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      freeze(process, STOPPED);
      Waiting.pass(RUNNING);
    }
    return told(process.name(), time);
  }

  /** Lets it write no file; a process that ends of it finds the disk full again. */
  String fillDisk(SupervisedProcess process, Duration time) {
    long end = System.nanoTime() + time.toNanos();
    try {
      while (System.nanoTime() < end) {
        FullDisk.fill(process.pid());
        Waiting.pass(RUNNING);
      }
    } finally {
      FullDisk.empty(process.pid());
    }
    return told(process.name(), time);
  }

  /** Lets one direction between two processes fail. */
  String partition(Duration time, Random random) {
    List<SupervisedProcess> all = all();
    List<Long> pids = all.stream().map(SupervisedProcess::pid).toList();
    Optional<Network.Failure> failure = network.fail(pids, random);
    if (failure.isEmpty()) {
      return "nobody";
    }
    try (Network.Failure present = failure.get()) {
      Waiting.pass(time);
      String from = all.get(pids.indexOf(present.from())).name();
      return told(from + " to " + all.get(pids.indexOf(present.to())).name(), time);
    }
  }

  /**
   * Lets the wall clock of one process be wrong, by a minute to an hour either way. Not that of a
   * trainer in Python: timed waits of Kafka's C library end by the machine's clock, which stays
   * right, and so would last as much longer.
   */
  String jump(Duration time, Random random) {
    WallClocks present =
        clocks.orElseThrow(() -> new BadInputException("clocks cannot jump without 'cc'"));
    List<SupervisedProcess> all = all();
    runs.all().stream()
        .filter(run -> run.plan().program() != TrainerProgram.JAVA)
        .forEach(run -> all.remove(run.trainer()));
    SupervisedProcess process = all.get(random.nextInt(all.size()));
    long pid = process.pid();
    long seconds = random.nextLong(SMALLEST_JUMP.toSeconds(), LARGEST_JUMP.toSeconds() + 1);
    Duration ahead = Duration.ofSeconds(random.nextBoolean() ? seconds : -seconds);
    present.set(pid, ahead);
    try {
      Waiting.pass(time);
    } finally {
      present.set(pid, Duration.ZERO);
    }
    return told(process.name() + " by " + ahead.toSeconds() + " s", time);
  }

  /** Every process but this one. */
  List<SupervisedProcess> all() {
    List<SupervisedProcess> all = new ArrayList<>();
    service.brokers().forEach(broker -> all.add(broker.process()));
    all.add(service.jobManager());
    all.addAll(service.taskManagers());
    runs.all().forEach(run -> all.add(run.trainer()));
    return all;
  }

  private static String told(String what, Duration time) {
    return String.format(Locale.ROOT, "%s for %.1f s", what, time.toMillis() / 1e3);
  }
}
