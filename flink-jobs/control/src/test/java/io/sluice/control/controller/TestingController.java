package io.sluice.control.controller;

import io.sluice.control.snapshot.SnapshotWriter;
import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.control.wire.ControlWire;
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

/** A controller with its place in a log, its clock, and what it has asked for. */
public final class TestingController {
  public final TestingLog log;
  final String writer;
  final List<ControlRecord> proposed = new ArrayList<>();
  final List<RunLog> proposedTo = new ArrayList<>();
  final List<byte[]> written = new ArrayList<>();
  final List<RunStatus> statuses = new ArrayList<>();
  final List<RunEffect.Reclaim> reclaims = new ArrayList<>();
  SupplyIndex supply = new SupplyIndex();
  LogCatchUp logs = new LogCatchUp();
  TestingRunStore store = new TestingRunStore();
  long now = 1_000;
  private final RunLog from;
  private final int snapshotEvery;
  private long read = -1;
  private long opened;
  private RunController controller;

  TestingController(TestingLog log, String writer) {
    this(log, writer, RunLog.SHARED, SnapshotWriter.EVERY);
  }

  /** A controller of a run whose log has a snapshot after so many entries. */
  TestingController(TestingLog log, String writer, int snapshotEvery) {
    this(log, writer, RunLog.OWN, snapshotEvery);
  }

  private TestingController(TestingLog log, String writer, RunLog from, int snapshotEvery) {
    this.log = log;
    this.writer = writer;
    this.from = from;
    this.snapshotEvery = snapshotEvery;
    supply.offer(TestingRuns.supply("a", 1_000_000, false));
    supply.offer(TestingRuns.supply("b", 1_000_000, false));
    controller = open();
  }

  /** A controller whose run has been started by it, and that has granted all it can. */
  public static TestingController started(RunSpec spec) {
    TestingController controller = new TestingController(new TestingLog(), "w");
    controller.command(TestingRuns.apply(spec));
    controller.settle();
    return controller;
  }

  private RunController open() {
    return new RunController(
        TestingRuns.RUN,
        store,
        new RunController.Instance(writer, opened, supply, logs, snapshotEvery),
        now);
  }

  /** Begins again as an instance without a checkpoint. */
  void openAt(long millis) {
    now = millis;
    opened = millis;
    logs = new LogCatchUp();
    store = new TestingRunStore();
    controller = open();
  }

  /** Begins again as an instance without a checkpoint that reads its log from a record on. */
  void openAt(long millis, long offset) {
    openAt(millis);
    read = offset - 1;
  }

  void command(RunCommand command) {
    perform(controller.onCommand(command, now));
  }

  public void feedback(TrainerFeedback feedback) {
    perform(controller.onFeedback(feedback, now));
  }

  void progress(TrainerProgress progress) {
    perform(controller.onProgress(progress, now));
  }

  void attached(TrainerAttached attached) {
    perform(controller.onAttached(attached, now));
  }

  void supply(String domain, long blocks, boolean ended) {
    supply.offer(TestingRuns.supply(domain, blocks, ended));
    perform(controller.onTimer(now));
  }

  /** Lets the time pass, with every timer on its way. */
  void pass(long millis) {
    long end = now + millis;
    for (long due = controller.wakeAt(now); due <= end; due = controller.wakeAt(now)) {
      now = due;
      perform(controller.onTimer(now));
    }
    now = end;
  }

  /** Puts everything proposed into the log, without reading it. */
  void send() {
    proposed.forEach(log::append);
    proposed.clear();
  }

  void echo(ControlRecord record, long offset) {
    echo(record, from, offset);
  }

  void echo(ControlRecord record, RunLog from, long offset) {
    echo(record, from, offset, ControlWire.encode(record, RunLog.OWN));
  }

  private void echo(ControlRecord record, RunLog from, long offset, byte[] value) {
    perform(controller.onControl(record, from, offset, value, now));
  }

  /** Reads the next record of the log; null at its end. */
  @Nullable ControlRecord echoOne() {
    Map.Entry<Long, byte[]> next = log.after(read);
    if (next == null) {
      return null;
    }
    read = next.getKey();
    ControlRecord record = WireCodec.decode(ControlRecord.class, next.getValue());
    echo(record, from, read, next.getValue());
    return record;
  }

  void echoAll() {
    while (echoOne() != null) {
      // Reads on.
    }
  }

  /** Sends and reads until nothing more is proposed. */
  public void settle() {
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
    controller = open();
    pass(1_000);
  }

  /** A checkpoint: what it holds and how far it has read. */
  record Checkpoint(TestingRunStore store, long read) {}

  Checkpoint checkpoint() {
    return new Checkpoint(store.copy(), read);
  }

  void restore(Checkpoint checkpoint) {
    proposed.clear();
    store = checkpoint.store.copy();
    read = checkpoint.read;
    controller = open();
  }

  RunStatus status() {
    pass(300);
    return statuses.get(statuses.size() - 1);
  }

  private void perform(List<RunEffect> actions) {
    for (RunEffect action : actions) {
      if (action instanceof RunEffect.Propose propose) {
        proposed.add(propose.record());
        proposedTo.add(propose.log());
        written.add(propose.value());
      } else if (action instanceof RunEffect.Publish publish) {
        statuses.add(publish.status());
      } else if (action instanceof RunEffect.Reclaim reclaim) {
        reclaims.add(reclaim);
      }
    }
  }
}
