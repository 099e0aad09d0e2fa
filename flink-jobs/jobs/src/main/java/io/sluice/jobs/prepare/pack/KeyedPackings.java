package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.shuffle.Shuffle;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * The packings of a task's domains: on the heap between checkpoints, and in keyed state, as
 * versioned bytes, when one is taken. Behind a checkpoint, no more of them stay on the heap than
 * fit its share; the others come back when they are asked for.
 */
final class KeyedPackings {
  private final BiFunction<String, Shuffle.Slots, DomainPacking> fresh;
  private final Function<DomainPacking, ShuffleWait> waiting;
  private final ValueState<byte[]> packingState;
  private final ValueState<byte[]> heldOutState;
  private final ValueState<byte[]> ledgerState;
  private final ValueState<byte[]> openState;
  private final MapState<Integer, byte[]> slotState;
  private final KeyedSlots.Heap heap;
  private final long packingBytes;

  /** The one that was asked for longest ago comes first. */
  private final Map<String, Domain> domains = new LinkedHashMap<>(16, .75f, true);

  /** Those that were on the heap before, in this execution. */
  private final Set<String> away = new HashSet<>();

  /** A domain's packing, where it keeps its shuffled documents, and for how long. */
  record Domain(DomainPacking packing, KeyedSlots documents, ShuffleWait shuffle) {}

  /**
   * @param shuffledBytes of documents that stay on the heap between checkpoints
   * @param packingBytes about how much of the heap packings take after a checkpoint
   * @param fresh a packing of a domain from its first document on
   * @param waiting for how long documents wait in the packing
   */
  KeyedPackings(
      KeyedStateStore state,
      long shuffledBytes,
      long packingBytes,
      BiFunction<String, Shuffle.Slots, DomainPacking> fresh,
      Function<DomainPacking, ShuffleWait> waiting) {
    PrimitiveArrayTypeInfo<byte[]> bytes = PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO;
    this.packingBytes = packingBytes;
    this.fresh = fresh;
    this.waiting = waiting;
    packingState = state.getState(new ValueStateDescriptor<>("packing", bytes));
    heldOutState = state.getState(new ValueStateDescriptor<>("held-out", bytes));
    ledgerState = state.getState(new ValueStateDescriptor<>("ledger", bytes));
    openState = state.getState(new ValueStateDescriptor<>("open-blocks", bytes));
    slotState = state.getMapState(new MapStateDescriptor<>("shuffle-buffer", Types.INT, bytes));
    heap = new KeyedSlots.Heap(shuffledBytes);
  }

  /** The domain, which is the current key. */
  Domain of(String domain) throws Exception {
    Domain loaded = domains.get(domain);
    if (loaded == null) {
      loaded = load(domain);
      domains.put(domain, loaded);
    }
    return loaded;
  }

  /** The packing of a domain that was asked for before. */
  DomainPacking known(String domain) {
    return Objects.requireNonNull(domains.get(domain)).packing();
  }

  /** Writes a domain, which is the current key and was asked for before. */
  void write(String domain) throws Exception {
    Domain due = Objects.requireNonNull(domains.get(domain));
    packingState.update(due.packing().snapshot());
    Optional<byte[]> open = due.packing().openBlocks();
    if (open.isPresent()) {
      openState.update(open.get());
    }
    if (due.packing().minimum().changed()) {
      heldOutState.update(due.packing().minimum().snapshot());
    }
    Optional<byte[]> ledger = due.packing().ledger().snapshot();
    if (ledger.isPresent()) {
      ledgerState.update(ledger.get());
    }
    due.documents().flush();
  }

  /**
   * Takes the domains off the heap that were asked for longest ago, so that the others take no more
   * than they may; call when all are written.
   */
  void letGo() {
    long over = bytes() - packingBytes;
    Iterator<Map.Entry<String, Domain>> oldest = domains.entrySet().iterator();
    while (over > 0 && oldest.hasNext()) {
      Map.Entry<String, Domain> next = oldest.next();
      over -= next.getValue().packing().bytes();
      next.getValue().documents().letGo();
      away.add(next.getKey());
      oldest.remove();
    }
  }

  /** About how much of the heap packings take. */
  long bytes() {
    return domains.values().stream().mapToLong(domain -> domain.packing().bytes()).sum();
  }

  private Domain load(String domain) throws Exception {
    KeyedSlots documents = new KeyedSlots(slotState, heap);
    DomainPacking packing = fresh.apply(domain, documents);
    byte[] snapshot = packingState.value();
    if (away.remove(domain)) {
      packing.goOn(snapshot, openState.value());
    } else if (snapshot != null) {
      packing.restore(snapshot, openState.value());
    }
    byte[] heldOut = heldOutState.value();
    if (heldOut != null) {
      packing.minimum().restore(heldOut);
    }
    byte[] ledger = ledgerState.value();
    if (ledger != null) {
      packing.ledger().restore(ledger);
    }
    return new Domain(packing, documents, waiting.apply(packing));
  }
}
