package io.sluice.jobs.simulation;

import io.sluice.control.controller.SimulatedController;
import io.sluice.control.controller.SimulatedSupply;
import io.sluice.control.controller.TestingRuns;
import io.sluice.control.wire.CommandWire;
import io.sluice.mixture.log.LogPosition;
import io.sluice.mixture.log.RunPhase;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DomainShare;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.SetWeights;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.avro.specific.SpecificRecordBase;

/**
 * One run whose log loses its tail at times, under the eyes of two instances of its controller, of
 * its emitter and of trainers. Whoever goes on has what everybody has who goes on.
 */
final class CutWorld {
  private static final String RUN = TestingRuns.RUN;
  private static final int TROUBLED = 400;
  private static final int CALM = 60;

  /** How readers keep to the protocol. */
  interface Reading {
    /** A record as a reader takes it that stands here. */
    default ControlRecord read(ControlRecord record, LogPosition at) {
      return record;
    }

    /** Whether a reader looks again at the entry that it stands on. */
    default boolean checksAnchor() {
      return true;
    }
  }

  private final Random random;
  private final Reading reading;
  private final Witness witness;
  private final CutLog log = new CutLog();
  private final List<SpecificRecordBase> asked = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private final List<CutReader> readers = new ArrayList<>();
  private long now = 1_000;

  /** An instance of the run's controller. */
  private final class Job {
    private final SimulatedSupply supply =
        new SimulatedSupply(
            List.of(
                TestingRuns.supply("a", 1_000_000, false),
                TestingRuns.supply("b", 1_000_000, false)));
    private final String name;
    private final List<ControlRecord> outbox = new ArrayList<>();
    private SimulatedController controller;
    private Map<String, byte[]> kept = Map.of();
    private int keptNext;
    private int keptHeard;
    private int next;
    private int heard;
    private int lives;

    Job(String name) {
      this.name = name;
      controller = open();
    }

    private SimulatedController open() {
      var owner = new SimulatedController.Owner(name + lives++, now, supply, 6);
      return new SimulatedController(RUN, owner, kept, now);
    }

    boolean read() {
      if (next == log.end()) {
        return false;
      }
      LogPosition at =
          controller.fold().map(fold -> fold.position()).orElse(LogPosition.start(RUN));
      ControlRecord record = reading.read(log.record(next), at);
      if (record.getRunId().equals(RUN)) {
        outbox.addAll(controller.follow(record, next, log.value(next), now));
      }
      next++;
      return true;
    }

    boolean hear() {
      if (heard == asked.size()) {
        return false;
      }
      outbox.addAll(controller.hear(asked.get(heard++), now));
      return true;
    }

    void ring() {
      outbox.addAll(controller.ring(now, now));
    }

    boolean send(int which) {
      if (outbox.isEmpty()) {
        return false;
      }
      log.append(outbox.remove(which % outbox.size()));
      return true;
    }

    void checkpoint() {
      kept = controller.kept();
      keptNext = next;
      keptHeard = heard;
    }

    /** What was sent may still arrive. */
    void crash() {
      next = keptNext;
      heard = keptHeard;
      controller = open();
    }

    /** The broker tells consumers that were beyond its end, by the epoch of what they have read. */
    void lose() {
      next = Math.min(next, log.end());
      keptNext = Math.min(keptNext, log.end());
    }

    long serial() {
      return controller.fold().map(fold -> fold.position().serial()).orElse(-1L);
    }
  }

  CutWorld(long seed, Reading reading, Witness witness) {
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.reading = reading;
    this.witness = witness;
    RunSpec spec =
        TestingRuns.spec()
            .setPolicy("static")
            .setPolicySettings(Map.of())
            .setUpdateEvery(0)
            .setLead(4)
            .build();
    asked.add(TestingRuns.applyOwn(spec, true));
    jobs.add(new Job("job"));
    jobs.add(new Job("zombie"));
    readers.add(new CutReader.Emitter(log, RUN, reading));
    readers.add(new CutReader.Client(log, RUN, reading));
    Job first = jobs.get(0);
    while (log.end() == 0) {
      first.hear();
      first.send(0);
      now += 100;
      first.ring();
    }
  }

  /** Lives it. */
  void live() {
    for (int i = 0; i < TROUBLED; i++) {
      now += random.nextInt(60);
      event();
    }
    for (int round = 0; round < CALM; round++) {
      calm();
    }
    check();
  }

  private void event() {
    Job job = jobs.get(random.nextInt(jobs.size()));
    CutReader reader = readers.get(random.nextInt(readers.size()));
    switch (random.nextInt(24)) {
      case 0 -> {
        if (random.nextInt(4) == 0) {
          log.cut(1 + random.nextInt(3));
          jobs.forEach(Job::lose);
          readers.forEach(CutReader::lose);
          witness.saw("log cut");
        }
      }
      case 1 -> job.checkpoint();
      case 2 -> {
        if (random.nextInt(3) == 0) {
          job.crash();
        }
      }
      case 3 -> {
        if (random.nextInt(3) == 0) {
          readers.add(new CutReader.Client(log, RUN, reading));
        }
      }
      case 4, 5 -> {
        double share = random.nextInt(8) / 8.0;
        asked.add(
            new RunCommand(
                "c" + asked.size(),
                RUN,
                now,
                new SetWeights(List.of(new DomainShare("a", share)), true, "asked")));
      }
      case 6, 7, 8 -> job.hear();
      case 9, 10, 11, 12 -> job.read();
      case 13, 14, 15 -> job.send(random.nextInt(9));
      case 16 -> job.ring();
      case 17, 18 -> progress();
      case 19, 20, 21 -> follow(reader);
      default -> reader.take(1 + random.nextInt(4));
    }
  }

  private void progress() {
    readers.stream()
        .filter(reader -> !reader.stopped() && !reader.taken().isEmpty())
        .map(reader -> reader.taken().keySet().stream().max(Long::compare).orElseThrow())
        .max(Long::compare)
        .ifPresent(batch -> asked.add(TestingRuns.progress(batch)));
  }

  /** An emitter that cannot go on asks for the run's end. */
  private void follow(CutReader reader) {
    boolean before = reader.stopped();
    reader.follow();
    if (!before && reader.stopped()) {
      witness.saw(reader.getClass().getSimpleName() + " stopped");
      if (reader instanceof CutReader.Emitter) {
        asked.add(CommandWire.failure(RUN, "lost", now));
      }
    }
  }

  private void calm() {
    now += 400;
    for (Job job : jobs) {
      World.drain(job::hear);
      World.drain(job::read);
      job.ring();
      World.drain(() -> job.send(0));
    }
    for (CutReader reader : List.copyOf(readers)) {
      follow(reader);
      follow(reader);
      reader.take(2);
    }
    progress();
  }

  /** All who go on have taken the same, and stand where the log, or a controller of it, does. */
  private void check() {
    CutReader.Client fresh = new CutReader.Client(log, RUN, reading);
    fresh.follow();
    witness.saw(fresh.stopped() ? "run ended" : "run goes on");
    List<CutReader> left = readers.stream().filter(reader -> !reader.stopped()).toList();
    for (CutReader one : left) {
      for (CutReader other : left) {
        one.taken()
            .forEach(
                (batch, content) -> {
                  if (!content.equals(other.taken().getOrDefault(batch, content))) {
                    throw new Violation("batch " + batch + " is two contents, and nobody stops");
                  }
                });
      }
      boolean followed =
          one.position().serial() == fresh.position().serial()
              || jobs.stream().anyMatch(job -> job.serial() == one.position().serial());
      if (!followed) {
        throw new Violation(
            one.getClass().getSimpleName()
                + " is left at "
                + one.position()
                + ": "
                + fresh.position());
      }
    }
    witness.saw(RunPhase.RUNNING.wireName() + " readers: " + Math.min(2, left.size()));
  }
}
