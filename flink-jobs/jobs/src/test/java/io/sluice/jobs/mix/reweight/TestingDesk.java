package io.sluice.jobs.mix.reweight;

import io.sluice.schema.ControlRecord;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunSpec;
import io.sluice.schema.RunStatus;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A desk with its place in a log, its clock, and what it has asked for. */
final class TestingDesk {
  final TestingLog log;
  final String writer;
  final List<ControlRecord> proposed = new ArrayList<>();
  final List<RunStatus> statuses = new ArrayList<>();
  final List<Reclaim> reclaims = new ArrayList<>();
  SupplyBook supply = new SupplyBook();
  TestingDeskStore store = new TestingDeskStore();
  long now = 1_000;
  private long read = -1;
  private long opened;
  private RunDesk desk;

  TestingDesk(TestingLog log, String writer) {
    this.log = log;
    this.writer = writer;
    supply.offer(TestingRuns.supply("a", 1_000_000, false));
    supply.offer(TestingRuns.supply("b", 1_000_000, false));
    desk = open();
  }

  /** A desk whose run has been started by it, and that has granted all it can. */
  static TestingDesk started(RunSpec spec) {
    TestingDesk desk = new TestingDesk(new TestingLog(), "w");
    desk.command(TestingRuns.apply(spec));
    desk.settle();
    return desk;
  }

  private RunDesk open() {
    return new RunDesk(TestingRuns.RUN, store, new RunDesk.Instance(writer, opened, supply), now);
  }

  /** Begins again as an instance without a checkpoint. */
  void openAt(long millis) {
    now = millis;
    opened = millis;
    store = new TestingDeskStore();
    desk = open();
  }

  void command(RunCommand command) {
    perform(desk.onCommand(command, now));
  }

  void feedback(TrainerFeedback feedback) {
    perform(desk.onFeedback(feedback, now));
  }

  void progress(TrainerProgress progress) {
    perform(desk.onProgress(progress, now));
  }

  void attached(TrainerAttached attached) {
    perform(desk.onAttached(attached, now));
  }

  void supply(String domain, long blocks, boolean ended) {
    supply.offer(TestingRuns.supply(domain, blocks, ended));
    perform(desk.onSupply(now));
  }

  /** Lets the time pass, with every timer on its way. */
  void pass(long millis) {
    long end = now + millis;
    for (long due = desk.wakeAt(now); due <= end; due = desk.wakeAt(now)) {
      now = due;
      perform(desk.onTimer(now));
    }
    now = end;
  }

  /** Puts everything proposed into the log, without reading it. */
  void send() {
    proposed.forEach(log::append);
    proposed.clear();
  }

  void echo(ControlRecord record, long offset) {
    perform(desk.onControl(record, offset, now));
  }

  /** Reads the next record of the log; null at its end. */
  @Nullable ControlRecord echoOne() {
    Map.Entry<Long, byte[]> next = log.after(read);
    if (next == null) {
      return null;
    }
    read = next.getKey();
    ControlRecord record = WireCodec.decode(ControlRecord.class, next.getValue());
    echo(record, read);
    return record;
  }

  void echoAll() {
    while (echoOne() != null) {
      // Reads on.
    }
  }

  /** Sends and reads until nothing more is proposed. */
  void settle() {
    do {
      send();
      echoAll();
    } while (!proposed.isEmpty());
  }

  /** The sends of a writer in trouble: each is lost, done, or done twice. */
  void sendBadly(Random random) {
    for (ControlRecord record : proposed) {
      for (int times = random.nextInt(3); times > 0; times--) {
        log.append(record);
      }
    }
    proposed.clear();
  }

  /** Goes on from its checkpoint, having lost what it proposed and all that is not in state. */
  void crash() {
    proposed.clear();
    store = store.copy();
    desk = open();
    pass(1_000);
  }

  /** A checkpoint: what it holds and how far it has read. */
  record Checkpoint(TestingDeskStore store, long read) {}

  Checkpoint checkpoint() {
    return new Checkpoint(store.copy(), read);
  }

  void restore(Checkpoint checkpoint) {
    proposed.clear();
    store = checkpoint.store.copy();
    read = checkpoint.read;
    desk = open();
  }

  RunStatus status() {
    pass(300);
    return statuses.get(statuses.size() - 1);
  }

  private void perform(List<DeskAction> actions) {
    for (DeskAction action : actions) {
      if (action instanceof DeskAction.Propose propose) {
        proposed.add(propose.record());
      } else if (action instanceof DeskAction.Publish publish) {
        statuses.add(publish.status());
      } else if (action instanceof DeskAction.Cut cut) {
        reclaims.add(cut.reclaim());
      }
    }
  }
}
