package io.sluice.jobs.mix.reweight;

import io.sluice.control.controller.RunController;
import io.sluice.control.controller.RunEffect;
import io.sluice.control.supply.SealedIndex;
import io.sluice.control.supply.SupplyIndex;
import io.sluice.control.topics.RunLog;
import io.sluice.schema.ControlRecord;
import io.sluice.schema.DeadLetter;
import io.sluice.schema.DeadLetters;
import io.sluice.schema.RunCommand;
import io.sluice.schema.RunStatus;
import io.sluice.schema.Segment;
import io.sluice.schema.Supply;
import io.sluice.schema.Topics;
import io.sluice.schema.TrainerAttached;
import io.sluice.schema.TrainerFeedback;
import io.sluice.schema.TrainerProgress;
import io.sluice.schema.WireCodec;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecordBase;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.co.KeyedBroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Hands each run's events to its controller, keeps the controllers in keyed state, and carries out
 * what they want: the main output is for the shared control log. Supply, and what is sealed of it,
 * is broadcast.
 */
final class Reweighter
    extends KeyedBroadcastProcessFunction<String, MixEvent, MixEvent, KeyedRecord> {
  /** Name of the controllers' state in every checkpoint ever taken. */
  private static final String STATE = "desk";

  /** How long the controller of a run that has ended stays in memory after its last event. */
  static final long KEPT_MILLIS = 60_000;

  private static final long serialVersionUID = 1L;

  /** Entries of runs that have a control log of their own, by run id. */
  static final OutputTag<KeyedRecord> OWN_ENTRIES =
      new OutputTag<>("own-entries", TypeInformation.of(KeyedRecord.class));

  /** Run statuses, by run id. */
  static final OutputTag<KeyedRecord> STATUSES =
      new OutputTag<>("statuses", TypeInformation.of(KeyedRecord.class));

  /** Records that could not be used. */
  static final OutputTag<KeyedRecord> DEAD_LETTERS =
      new OutputTag<>("dead-letters", TypeInformation.of(KeyedRecord.class));

  /** Parts of streams that nobody will read again. */
  static final OutputTag<Reclaim> RECLAIMS =
      new OutputTag<>("reclaims", TypeInformation.of(Reclaim.class));

  /** Supply records with the highest bound of each domain. */
  static final MapStateDescriptor<String, byte[]> SUPPLY =
      new MapStateDescriptor<>(
          "supply", Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /** What is sealed of each lane of each domain. */
  static final MapStateDescriptor<String, byte[]> SEALED =
      new MapStateDescriptor<>(
          "sealed", Types.STRING, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final Topics topics;
  private final NonceSource nonces;
  private final EvenTime.Nanos nanos;
  private transient EvenTime time;
  private transient KeyedRunStore store;
  private transient Map<String, RunController> controllers;
  private transient Map<String, Long> wakes;

  /** Runs of which nothing is due, and since when nobody has said anything of them either. */
  private transient Map<String, Long> idle;

  private transient RunController.@Nullable Instance instance;
  private transient Counter ofDeletedRuns;

  /** Makes the nonce that marks what one instance proposes. */
  interface NonceSource extends Serializable {
    String next();
  }

  /** Where Flink takes what is not for the control log. */
  private interface SideOutput {
    <T> void emit(OutputTag<T> tag, T value);
  }

  /** What is kept of what is broadcast. */
  private interface Broadcast {
    ReadOnlyBroadcastState<String, byte[]> of(MapStateDescriptor<String, byte[]> state)
        throws Exception;
  }

  /** What is done at a controller. */
  private interface Visit {
    List<RunEffect> at(RunController controller, long now);
  }

  @SuppressWarnings("NullAway.Init")
  Reweighter(Topics topics, NonceSource nonces, EvenTime.Nanos nanos) {
    this.topics = topics;
    this.nonces = nonces;
    this.nanos = nanos;
  }

  @Override
  public void open(OpenContext context) {
    store =
        new KeyedRunStore(
            getRuntimeContext()
                .getMapState(
                    new MapStateDescriptor<>(
                        STATE,
                        Types.STRING,
                        PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)));
    ofDeletedRuns = getRuntimeContext().getMetricGroup().counter("recordsOfDeletedRuns");
    time = new EvenTime(nanos);
    controllers = new HashMap<>();
    wakes = new HashMap<>();
    idle = new HashMap<>();
    getRuntimeContext().getMetricGroup().gauge("runsInMemory", this::runsInMemory);
  }

  @Override
  public void processElement(MixEvent event, ReadOnlyContext context, Collector<KeyedRecord> out)
      throws Exception {
    Visit delivery;
    try {
      SpecificRecordBase message = event.message();
      delivery = (controller, now) -> deliver(message, event, controller, now);
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      context.output(
          DEAD_LETTERS, deadLetter(event, reason, time.millis(context.currentProcessingTime())));
      String place = event.topic + " at " + event.offset + ": ";
      delivery = (controller, now) -> controller.onUndecodable(place + reason, now);
    }
    if (!event.runId.isEmpty()) {
      visit(context, out, delivery);
    }
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<KeyedRecord> out)
      throws Exception {
    String runId = context.getCurrentKey();
    wakes.remove(runId, timestamp);
    Long since = idle.get(runId);
    long now = time.millis(context.currentProcessingTime());
    if (since == null) {
      visit(context, out, RunController::onTimer);
    } else if (now < since + KEPT_MILLIS) {
      wakeLater(context, since + KEPT_MILLIS, now);
    } else {
      // The state has it all: it is read again when somebody speaks of the run.
      idle.remove(runId);
      controllers.remove(runId);
    }
  }

  @Override
  public void processBroadcastElement(MixEvent event, Context context, Collector<KeyedRecord> out)
      throws Exception {
    long now = time.millis(context.currentProcessingTime());
    SupplyIndex index = instance(context::getBroadcastState, now).supply();
    try {
      SpecificRecordBase message = event.message();
      if (message instanceof Segment segment) {
        take(segment, event.topic, index.sealed(), context.getBroadcastState(SEALED));
        return;
      }
      Supply read = (Supply) message;
      Optional<Supply> merged = index.offer(read);
      if (merged.isPresent()) {
        context
            .getBroadcastState(SUPPLY)
            .put(SupplyIndex.key(read), WireCodec.encode(merged.get()));
        wakeReaders(read, now, context::output, out);
      }
    } catch (IllegalArgumentException e) {
      refuse(event, String.valueOf(e.getMessage()), now, context::output);
    }
  }

  /**
   * A store is filled every some seconds, with segments of all domains: nobody is woken for each of
   * them, controllers of runs that go on look by themselves each second.
   */
  private void take(
      Segment segment, String topic, SealedIndex sealed, BroadcastState<String, byte[]> kept)
      throws Exception {
    if (!topic.equals(topics.segments(segment.getDataset()))) {
      throw new IllegalArgumentException(
          "topic " + topic + " must not hold segments of dataset '" + segment.getDataset() + "'");
    }
    if (sealed.offer(segment)) {
      kept.put(SealedIndex.key(segment), sealed.kept(segment));
    }
  }

  /**
   * Supply moves no controller's state, so controllers are asked without Flink being at their run.
   */
  private void wakeReaders(Supply grown, long now, SideOutput side, Collector<KeyedRecord> out) {
    for (RunController controller : controllers.values()) {
      if (controller.uses(grown.getDataset(), grown.getFingerprint())) {
        perform(controller.onTimer(now), side, out);
      }
    }
  }

  /** Every instance reads the broadcast record; one of them refuses it. */
  private void refuse(MixEvent event, String reason, long now, SideOutput side) {
    if (getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0) {
      side.emit(DEAD_LETTERS, deadLetter(event, reason, now));
    }
  }

  private void visit(ReadOnlyContext context, Collector<KeyedRecord> out, Visit visit)
      throws Exception {
    long now = time.millis(context.currentProcessingTime());
    RunController.Instance here = instance(context::getBroadcastState, now);
    store.enter();
    try {
      RunController controller =
          controllers.computeIfAbsent(
              context.getCurrentKey(), runId -> new RunController(runId, store, here, now));
      perform(visit.at(controller, now), context::output, out);
      if (controller.isDeleted() || controller.isForgotten()) {
        controllers.remove(context.getCurrentKey());
        idle.remove(context.getCurrentKey());
      } else {
        sleep(context, controller.wakeAt(now), now);
      }
    } finally {
      store.leave();
    }
  }

  private void sleep(ReadOnlyContext context, long due, long now) {
    if (due == Long.MAX_VALUE) {
      idle.put(context.getCurrentKey(), now);
      wakeLater(context, now + KEPT_MILLIS, now);
    } else {
      idle.remove(context.getCurrentKey());
      wakeLater(context, due, now);
    }
  }

  /** Flink's timers are moments of the wall clock. */
  private void wakeLater(ReadOnlyContext context, long due, long now) {
    String runId = context.getCurrentKey();
    long wall = context.currentProcessingTime() + due - now;
    if (wall < wakes.getOrDefault(runId, Long.MAX_VALUE)) {
      context.timerService().registerProcessingTimeTimer(wall);
      wakes.put(runId, wall);
    }
  }

  /** Runs whose controllers are in memory. */
  int runsInMemory() {
    return controllers.size();
  }

  /** What this instance is, with the supply that was known when it last stopped. */
  private RunController.Instance instance(Broadcast kept, long now) throws Exception {
    RunController.Instance here = instance;
    if (here == null) {
      here = new RunController.Instance(nonces.next(), now, new SupplyIndex());
      for (Map.Entry<String, byte[]> supply : kept.of(SUPPLY).immutableEntries()) {
        here.supply().offer(WireCodec.decode(Supply.class, supply.getValue()));
      }
      for (Map.Entry<String, byte[]> lane : kept.of(SEALED).immutableEntries()) {
        here.supply().sealed().restore(lane.getValue());
      }
      instance = here;
    }
    return here;
  }

  private List<RunEffect> deliver(
      SpecificRecordBase message, MixEvent event, RunController controller, long now) {
    if (controller.isDeleted()) {
      ofDeletedRuns.inc();
      return List.of();
    }
    if (message instanceof ControlRecord record) {
      RunLog log = RunLog.of(topics, event.topic);
      return controller.onControl(record, log, event.offset, event.bytes, now);
    }
    if (message instanceof RunCommand command) {
      return controller.onCommand(command, now);
    }
    if (message instanceof TrainerFeedback feedback) {
      return controller.onFeedback(feedback, now);
    }
    return message instanceof TrainerProgress progress
        ? controller.onProgress(progress, now)
        : controller.onAttached((TrainerAttached) message, now);
  }

  private static void perform(
      List<RunEffect> actions, SideOutput side, Collector<KeyedRecord> out) {
    for (RunEffect action : actions) {
      if (action instanceof RunEffect.Propose propose) {
        KeyedRecord entry = new KeyedRecord(propose.record().getRunId(), propose.value());
        if (propose.log() == RunLog.OWN) {
          side.emit(OWN_ENTRIES, entry);
        } else {
          out.collect(entry);
        }
      } else if (action instanceof RunEffect.Publish publish) {
        RunStatus status = publish.status();
        side.emit(STATUSES, new KeyedRecord(status.getRunId(), WireCodec.encode(status)));
      } else if (action instanceof RunEffect.Reclaim reclaim) {
        side.emit(RECLAIMS, new Reclaim(reclaim));
      }
    }
  }

  private static KeyedRecord deadLetter(MixEvent event, String reason, long now) {
    DeadLetter letter =
        DeadLetters.of("mix", event.topic, event.partition, event.offset, reason, event.bytes, now);
    return new KeyedRecord("", WireCodec.encode(letter));
  }
}
