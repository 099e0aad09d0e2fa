package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.heap.HeapShare;
import io.sluice.jobs.prepare.dataset.ShuffleSettings;
import io.sluice.jobs.prepare.log.CommittedSupply;
import io.sluice.jobs.prepare.log.Decisions;
import io.sluice.jobs.prepare.log.ForgottenDocuments;
import io.sluice.jobs.prepare.log.KafkaSupplyLog;
import io.sluice.jobs.prepare.log.SupplyLog;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.TaskClock;
import io.sluice.jobs.prepare.shuffle.Shuffle;
import io.sluice.jobs.write.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link DomainPacking} for each domain, keyed by it.
 *
 * <p>Packings live on the heap between checkpoints and are written to keyed state, as versioned
 * bytes, when one is taken, and so do as many documents of the shuffle buffers as fit {@link
 * #SHUFFLED_BYTES}: a document beyond them costs a read and a write of the state, none a rewrite of
 * the block in the making. A packing beyond {@link #PACKING_BYTES} leaves the heap behind a
 * checkpoint. Just before a checkpoint's barrier, the supply of every domain that has changed goes
 * out, so that it is in the transaction of the blocks it counts.
 *
 * <p>What everybody is to forget is looked for at each checkpoint, and forgotten in a domain before
 * the next of its events.
 *
 * <p>When documents go by time, {@link ShuffleWait} decides, whose times are keyed timers: they are
 * part of a checkpoint, as are the documents that wait. Where all documents of a domain are drawn
 * from at its end, timers part that into steps, between which barriers come.
 */
public final class PackBlocks extends AbstractStreamOperator<OutputRecord>
    implements OneInputStreamOperator<DomainEvent, OutputRecord>,
        BoundedOneInput,
        Triggerable<String, VoidNamespace> {
  private static final long serialVersionUID = 1L;

  /** Bytes of shuffled documents that stay on the heap; a checkpoint writes at most as many. */
  private static final long SHUFFLED_BYTES = 32L << 20;

  /** Bytes of documents that are drawn in one step where all of a domain are shuffled. */
  private static final long DRAWN_BYTES = 1L << 20;

  /** Bytes of open blocks that stay on the heap, too; a thousand domains of 16,384 tokens. */
  private static final long PACKING_BYTES = 64L << 20;

  private final DatasetSpec spec;
  private final KafkaAccess kafka;
  private final SupplyLog supplyLog;
  private final TaskClock clock;
  private final long shuffledBytes;
  private final long packingBytes;
  private final HeapShare heap;
  private transient Map<String, CommittedSupply> committed;
  private transient Map<String, Decisions> decisions;
  private transient ForgottenDocuments forgotten;

  /** Where documents go by time, or in steps; else no timer is part of a checkpoint. */
  private transient @Nullable InternalTimerService<VoidNamespace> timers;

  private transient KeyedPackings domains;
  private transient Set<String> supplyDue;
  private transient Set<String> stateDue;

  /**
   * A packing of a dataset's domains.
   *
   * @param supplyWait how long the task waits, when it starts, until what earlier executions have
   *     committed can be read to its end
   * @param heap share that the tasks of a process may take; they get by with any, for what does not
   *     fit is in state
   */
  public PackBlocks(
      DatasetSpec spec, KafkaAccess kafka, Duration supplyWait, TaskClock clock, HeapShare heap) {
    this(spec, kafka, new KafkaSupplyLog(supplyWait), clock, SHUFFLED_BYTES, PACKING_BYTES, heap);
  }

  PackBlocks(DatasetSpec spec, KafkaAccess kafka, SupplyLog supplyLog, TaskClock clock) {
    this(spec, kafka, supplyLog, clock, SHUFFLED_BYTES, PACKING_BYTES);
  }

  /**
   * @param shuffledBytes of documents that stay on the heap between checkpoints
   * @param packingBytes about how much of the heap packings take after a checkpoint
   */
  PackBlocks(
      DatasetSpec spec,
      KafkaAccess kafka,
      SupplyLog supplyLog,
      TaskClock clock,
      long shuffledBytes,
      long packingBytes) {
    this(spec, kafka, supplyLog, clock, shuffledBytes, packingBytes, new HeapShare(HeapShare.MOST));
  }

  private PackBlocks(
      DatasetSpec spec,
      KafkaAccess kafka,
      SupplyLog supplyLog,
      TaskClock clock,
      long shuffledBytes,
      long packingBytes,
      HeapShare heap) {
    this.heap = heap;
    this.shuffledBytes = shuffledBytes;
    this.packingBytes = packingBytes;
    this.spec = spec;
    this.kafka = kafka;
    this.supplyLog = supplyLog;
    this.clock = clock;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    long third =
        heap.ofTask(
                getContainingTask().getEnvironment().getTaskManagerInfo().getConfiguration(),
                getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks())
            / 3;
    domains =
        new KeyedPackings(
            context.getKeyedStateStore(),
            Math.min(shuffledBytes, third),
            Math.min(packingBytes, 2 * third),
            this::fresh,
            packing -> new ShuffleWait(spec, packing, this::after));
    supplyDue = new LinkedHashSet<>();
    stateDue = new LinkedHashSet<>();
    committed = supplyLog.read(kafka, spec);
    decisions = new HashMap<>(supplyLog.decisions(kafka, spec));
    forgotten = supplyLog.forgotten(kafka, spec);
  }

  @Override
  public void open() throws Exception {
    super.open();
    if (spec.getShuffleWaitMillis() > 0 || spec.getShuffleBuffer() == ShuffleSettings.GLOBAL) {
      timers = getInternalTimerService("shuffle-wait", VoidNamespaceSerializer.INSTANCE, this);
    }
  }

  @Override
  public void processElement(StreamRecord<DomainEvent> element) throws Exception {
    String domain = element.getValue().domain();
    KeyedPackings.Domain here = domains.of(domain);
    here.packing().forget(forgotten.of(domain));
    here.packing().accept(element.getValue());
    here.shuffle().begin();
    if (here.packing().draining()) {
      drawSoon();
    }
    supplyDue.add(domain);
    stateDue.add(domain);
  }

  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    KeyedPackings.Domain here = domains.of(timer.getKey());
    stateDue.add(timer.getKey());
    if (here.packing().forget(forgotten.of(timer.getKey()))) {
      supplyDue.add(timer.getKey());
    }
    if (here.packing().draining()) {
      here.packing().draw(Math.min(DRAWN_BYTES, shuffledBytes));
      supplyDue.add(timer.getKey());
      if (here.packing().draining()) {
        drawSoon();
      }
    } else if (here.shuffle().over(timer.getTimestamp())) {
      supplyDue.add(timer.getKey());
    }
  }

  /** Barriers and other domains' documents come between one step and the next. */
  private void drawSoon() {
    after(1);
  }

  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) {
    throw new IllegalStateException("no timer of event time was asked for: " + timer);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    emitSupply();
    forgotten.look();
  }

  @Override
  public void endInput() {
    emitSupply();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    for (String domain : stateDue) {
      setCurrentKey(domain);
      domains.write(domain);
    }
    stateDue.clear();
    if (supplyDue.isEmpty()) {
      domains.letGo();
    }
  }

  @Override
  public void close() throws Exception {
    if (forgotten != null) { // It is where the task could not be started.
      forgotten.close();
    }
    super.close();
  }

  /** About how much of the heap the packings of domains take. */
  long heapBytes() {
    return domains.bytes();
  }

  private void emitSupply() {
    for (String domain : supplyDue) {
      domains.known(domain).emitSupply();
    }
    supplyDue.clear();
  }

  private DomainPacking fresh(String domain, Shuffle.Slots documents) {
    return new DomainPacking(
        spec,
        kafka.topics(),
        domain,
        documents,
        committed.getOrDefault(domain, CommittedSupply.NONE),
        decisions.computeIfAbsent(domain, name -> Decisions.none()),
        clock,
        this::emit);
  }

  private long after(long millis) {
    InternalTimerService<VoidNamespace> here = Objects.requireNonNull(timers);
    long then = here.currentProcessingTime() + millis;
    here.registerProcessingTimeTimer(VoidNamespace.INSTANCE, then);
    return then;
  }

  private void emit(OutputRecord message) {
    output.collect(new StreamRecord<>(message));
  }
}
