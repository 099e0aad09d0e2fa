package io.sluice.jobs.prepare;

import io.sluice.jobs.prepare.ReadCorpus.Clock;
import io.sluice.jobs.prepare.record.DomainEvent;
import io.sluice.jobs.prepare.record.OutputRecord;
import io.sluice.schema.DatasetSpec;
import io.sluice.schema.KafkaAccess;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Runs a {@link DomainPacking} for each domain, keyed by it.
 *
 * <p>Packings live on the heap between checkpoints and are written to keyed state, as versioned
 * bytes, when one is taken, and so do as many documents of the shuffle buffers as fit {@link
 * #SHUFFLED_BYTES}: a document beyond them costs a read and a write of the state, none a rewrite of
 * the block in the making. Just before a checkpoint's barrier, the supply of every domain that has
 * changed goes out, so that it is in the transaction of the blocks it counts.
 */
final class PackBlocks extends AbstractStreamOperator<OutputRecord>
    implements OneInputStreamOperator<DomainEvent, OutputRecord>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Bytes of shuffled documents that stay on the heap; a checkpoint writes at most as many. */
  private static final long SHUFFLED_BYTES = 32L << 20;

  private final DatasetSpec spec;
  private final KafkaAccess kafka;
  private final SupplyLog supplyLog;
  private final Clock clock;
  private final long shuffledBytes;
  private transient Map<String, CommittedSupply> committed;
  private transient ValueState<byte[]> packingState;
  private transient MapState<Integer, byte[]> slotState;
  private transient KeyedSlots.Heap heap;
  private transient Map<String, Domain> domains;
  private transient Set<String> supplyDue;
  private transient Set<String> stateDue;

  /** A domain's packing, and where it keeps its shuffled documents. */
  private record Domain(DomainPacking packing, KeyedSlots documents) {}

  PackBlocks(DatasetSpec spec, KafkaAccess kafka, SupplyLog supplyLog, Clock clock) {
    this(spec, kafka, supplyLog, clock, SHUFFLED_BYTES);
  }

  /**
   * @param shuffledBytes of documents that stay on the heap between checkpoints
   */
  PackBlocks(
      DatasetSpec spec, KafkaAccess kafka, SupplyLog supplyLog, Clock clock, long shuffledBytes) {
    this.shuffledBytes = shuffledBytes;
    this.spec = spec;
    this.kafka = kafka;
    this.supplyLog = supplyLog;
    this.clock = clock;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    PrimitiveArrayTypeInfo<byte[]> bytes = PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    packingState =
        context.getKeyedStateStore().getState(new ValueStateDescriptor<>("packing", bytes));
    slotState =
        context
            .getKeyedStateStore()
            .getMapState(new MapStateDescriptor<>("shuffle-buffer", Types.INT, bytes));
    heap = new KeyedSlots.Heap(shuffledBytes);
    domains = new HashMap<>();
    supplyDue = new LinkedHashSet<>();
    stateDue = new LinkedHashSet<>();
    committed = supplyLog.read(kafka, spec);
  }

  @Override
  public void processElement(StreamRecord<DomainEvent> element) throws Exception {
    String domain = element.getValue().domain();
    packing(domain).accept(element.getValue());
    supplyDue.add(domain);
    stateDue.add(domain);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    emitSupply();
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
      Domain due = Objects.requireNonNull(domains.get(domain));
      packingState.update(due.packing().snapshot());
      due.documents().flush();
    }
    stateDue.clear();
  }

  private void emitSupply() {
    for (String domain : supplyDue) {
      Objects.requireNonNull(domains.get(domain)).packing().emitSupply();
    }
    supplyDue.clear();
  }

  private DomainPacking packing(String domain) throws Exception {
    Domain loaded = domains.get(domain);
    if (loaded == null) {
      loaded = load(domain);
      domains.put(domain, loaded);
    }
    return loaded.packing();
  }

  private Domain load(String domain) throws Exception {
    KeyedSlots documents = new KeyedSlots(slotState, heap);
    DomainPacking packing =
        new DomainPacking(
            spec,
            kafka.topics(),
            domain,
            documents,
            committed.getOrDefault(domain, CommittedSupply.NONE),
            clock,
            this::emit);
    byte[] snapshot = packingState.value();
    if (snapshot != null) {
      packing.restore(snapshot);
    }
    return new Domain(packing, documents);
  }

  private void emit(OutputRecord message) {
    output.collect(new StreamRecord<>(message));
  }
}
