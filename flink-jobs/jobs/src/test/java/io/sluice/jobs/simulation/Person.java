package io.sluice.jobs.simulation;

import io.sluice.control.wire.ControlWire;
import io.sluice.control.wire.Snapshots;
import io.sluice.mixture.decide.BatchSnapshots;
import io.sluice.schema.ApplyRun;
import io.sluice.schema.DomainInheritance;
import io.sluice.schema.DomainShare;
import io.sluice.schema.DrainRun;
import io.sluice.schema.EarlierSnapshot;
import io.sluice.schema.LogSnapshot;
import io.sluice.schema.ReviseRun;
import io.sluice.schema.RewindRun;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunOrigin;
import io.sluice.schema.RunSnapshot;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStarted;
import io.sluice.schema.SetWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Whoever asks something of runs, now and then something that cannot be. */
final class Person {
  private static final int MOST_REVISIONS = 8;
  private static final int MOST_RUNS = 4;

  private final World world;
  private final Random random;

  Person(World world) {
    this.world = world;
    this.random = world.random();
  }

  /** Asks one thing of a run. */
  void ask(Parts at) {
    RunModel run = at.run();
    long asked = run.commands().stream().filter(Person::revises).count();
    if (run.control().accepted().isEmpty() || asked >= MOST_REVISIONS) {
      return;
    }
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> rewind(at);
      case 4 -> set(run);
      case 5 -> drain(run);
      case 6 -> switchPolicy(run);
      case 7 -> {
        if (random.nextBoolean()) {
          changeDomains(run);
        } else {
          regroup(run);
        }
      }
      case 8 -> change(run);
      default -> fork(at);
    }
  }

  private static boolean revises(RunCommand command) {
    return !(command.getBody() instanceof ApplyRun);
  }

  private void send(RunModel run, Object body) {
    run.commands().add(new RunCommand(world.nextCommand(), run.id(), world.now(), body));
  }

  /** The log as far as the person has read it, which is not always to its end. */
  private BatchSnapshots read(RunModel run) {
    List<ControlLog.Logged> log = run.control().accepted();
    int unread = random.nextInt(4) == 0 ? random.nextInt(Math.min(3, log.size())) : 0;
    BatchSnapshots read =
        new BatchSnapshots(
            ControlWire.read(log.get(0).record(), log.get(0).value()), log.get(0).offset());
    for (ControlLog.Logged logged : log.subList(1, log.size() - unread)) {
      read.apply(ControlWire.read(logged.record(), logged.value()), logged.offset());
    }
    return read;
  }

  /** What is read of the same log for some batches, from the last snapshot before them on. */
  private static BatchSnapshots readFor(RunModel run, BatchSnapshots whole, long first, long last) {
    List<ControlLog.Logged> log =
        run.control().accepted().subList(0, (int) whole.state().position().serial() + 1);
    int from = 0;
    for (ControlLog.Logged logged : log) {
      if (logged.record().getBody() instanceof LogSnapshot newest) {
        from = 0;
        for (EarlierSnapshot each : newest.getEarlier()) {
          from = each.getBatch() <= first ? (int) each.getSerial() : from;
        }
        if (newest.getSnapshot().getBatch() <= first) {
          from = (int) logged.record().getSerial();
        }
      }
    }
    ControlLog.Logged begin = log.get(from);
    BatchSnapshots read =
        new BatchSnapshots(ControlWire.read(begin.record(), begin.value()), begin.offset(), last);
    log.subList(from + 1, log.size())
        .forEach(
            logged ->
                read.apply(ControlWire.read(logged.record(), logged.value()), logged.offset()));
    run.witness().saw(from == 0 ? "past read from the start" : "past read from a snapshot");
    return read;
  }

  private static void requireSame(
      RunModel run, BatchSnapshots.Past one, BatchSnapshots.Past other) {
    Violation.unless(
        Snapshots.write(one.snapshot()).equals(Snapshots.write(other.snapshot()))
            && one.settings().equals(other.settings())
            && one.timeline() == other.timeline()
            && logged(run, one).equals(logged(run, other)),
        "run %s as of a batch, from the start: %s, %s; from a snapshot: %s, %s",
        run.id(),
        Snapshots.write(one.snapshot()),
        logged(run, one),
        Snapshots.write(other.snapshot()),
        logged(run, other));
  }

  /** The specification that the log says at the entry that settings came with. */
  private static RunSpec logged(RunModel run, BatchSnapshots.Past past) {
    Object body = run.control().accepted().get((int) past.settingsSerial()).record().getBody();
    return body instanceof RunStarted started
        ? started.getSpec()
        : spec(run, past.settingsSerial());
  }

  private void rewind(Parts at) {
    RunModel run = at.run();
    BatchSnapshots log = read(run);
    long granted = log.state().position().granted();
    long low = Math.max(run.control().first(), at.trainer().firstRestorable());
    if (granted < low) {
      return;
    }
    long batch = low + random.nextLong(granted - low + 1);
    long skippedTo = random.nextBoolean() ? batch : batch + random.nextLong(granted - batch + 1);
    BatchSnapshots.Past past = log.rewound(batch, skippedTo);
    requireSame(run, past, readFor(run, log, batch, skippedTo).rewound(batch, skippedTo));
    RunSnapshot snapshot = Snapshots.write(past.snapshot());
    int timeline = log.state().position().timeline() + (random.nextInt(8) == 0 ? 9 : 0);
    send(
        run,
        new RewindRun(
            timeline, spec(run, past.settingsSerial()), snapshot, skippedTo, "a loss spike"));
  }

  private static RunSpec spec(RunModel run, long serial) {
    Object body = run.control().accepted().get((int) serial).record().getBody();
    if (body instanceof LogSnapshot said) {
      return said.getSpec();
    }
    return body instanceof io.sluice.schema.RunRevised revised ? revised.getSpec() : run.spec();
  }

  private void set(RunModel run) {
    List<DomainShare> shares = new ArrayList<>();
    for (String domain : run.control().now().settings().domains()) {
      if (shares.size() < 2 && random.nextInt(3) == 0) {
        shares.add(new DomainShare(domain, random.nextInt(5) == 0 ? 0 : random.nextDouble() / 2));
      }
    }
    Boolean pinned = random.nextBoolean() ? null : (Boolean) random.nextBoolean();
    send(run, new SetWeights(shares, pinned, "by hand"));
  }

  private void drain(RunModel run) {
    send(run, new DrainRun((long) random.nextInt(6), "an upgrade"));
  }

  private RunSpec.Builder spec(RunModel run) {
    return RunSpec.newBuilder(run.control().now().spec());
  }

  private void switchPolicy(RunModel run) {
    List<Scenario.PolicyLot> policies = run.scenario().policies();
    Scenario.PolicyLot next = policies.get(random.nextInt(policies.size()));
    RunSpec spec =
        spec(run)
            .setPolicy(next.name())
            .setPolicySettings(next.settings())
            .setUpdateEvery(next.hasRounds() ? run.scenario().every() : 0)
            .setLag(next.hasRounds() ? random.nextInt(3) : 0)
            .build();
    send(run, new ReviseRun(spec, List.of(), "another policy", -1L, List.of()));
  }

  private void change(RunModel run) {
    RunSpec spec =
        spec(run)
            .setLead(random.nextBoolean() ? 0 : 1 + random.nextInt(4))
            .setOnTimeout("keep-weights")
            .build();
    send(run, new ReviseRun(spec, List.of(), "other settings", -1L, List.of()));
  }

  private void changeDomains(RunModel run) {
    RunSpec old = run.control().now().spec();
    int domains = old.getDomains().size();
    RunSpec.Builder spec = spec(run);
    if (domains < run.scenario().sizes().length && random.nextBoolean()) {
      String added = "d" + domains;
      RunSpec next = withNewDomain(spec).build();
      send(
          run,
          new ReviseRun(next, List.of(new DomainShare(added, 0.2)), "one more", -1L, List.of()));
      return;
    }
    List<String> removed = new ArrayList<>(old.getRemoved());
    String gone = old.getDomains().get(random.nextInt(domains));
    if (!removed.contains(gone)) {
      removed.add(gone);
    }
    send(
        run,
        new ReviseRun(spec.setRemoved(removed).build(), List.of(), "one less", -1L, List.of()));
  }

  private static RunSpec.Builder withNewDomain(RunSpec.Builder spec) {
    List<String> all = new ArrayList<>(spec.getDomains());
    all.add("d" + all.size());
    List<Integer> epochs = new ArrayList<>(spec.getEpochs());
    epochs.add(1);
    List<Long> weights = new ArrayList<>(spec.getInitialWeights());
    weights.add(0L);
    return spec.setDomains(all).setEpochs(epochs).setInitialWeights(weights);
  }

  /** Others in the place of one domain or two: new ones or some that are there, if any may be. */
  private void regroup(RunModel run) {
    RunSpec old = run.control().now().spec();
    RunSpec.Builder spec = spec(run);
    if (old.getDomains().size() < run.scenario().sizes().length) {
      withNewDomain(spec);
    }
    List<String> seated = new ArrayList<>(spec.getDomains());
    seated.removeAll(old.getRemoved());
    if (seated.size() < 2) {
      return;
    }
    List<String> from = new ArrayList<>();
    for (int i = 0; i < 1 + random.nextInt(2) && seated.size() > 1; i++) {
      from.add(seated.remove(random.nextInt(seated.size() - 1)));
    }
    List<String> removed = new ArrayList<>(old.getRemoved());
    removed.addAll(from);
    double first = seated.size() == 1 ? 1 : 0.25 + random.nextDouble() / 2;
    List<DomainInheritance> inheritances = new ArrayList<>();
    for (String parent : from) {
      inheritances.add(new DomainInheritance(seated.get(seated.size() - 1), parent, first));
      if (first < 1) {
        inheritances.add(new DomainInheritance(seated.get(0), parent, 1 - first));
      }
    }
    RunSpec next = spec.setRemoved(removed).build();
    send(run, new ReviseRun(next, List.of(), "other domains", -1L, inheritances));
  }

  private void fork(Parts at) {
    RunModel run = at.run();
    long granted = run.control().granted();
    if (world.parts().size() >= MOST_RUNS) {
      return;
    }
    BatchSnapshots log = read(run);
    long first = run.control().first();
    long batch = first + random.nextLong(log.state().position().granted() - first + 1);
    if (batch > granted) {
      return;
    }
    String name = "fork" + world.parts().size();
    BatchSnapshots.Past then = log.asOf(batch);
    requireSame(run, then, readFor(run, log, batch, batch).asOf(batch));
    RunSpec parent = spec(run, then.settingsSerial());
    RunSpec spec =
        RunSpec.newBuilder(parent)
            .setRun(name)
            .setLead(1 + random.nextInt(4))
            .setBatches(Math.max(parent.getBatches(), batch + 1))
            .build();
    BatchSnapshots.Past past = log.forked(batch, io.sluice.control.wire.RunSpecs.settings(spec));
    RunOrigin origin = new RunOrigin(run.id(), past.timeline(), Snapshots.write(past.snapshot()));
    world.fork(run, run.scenario().forked(name, spec), origin);
  }
}
