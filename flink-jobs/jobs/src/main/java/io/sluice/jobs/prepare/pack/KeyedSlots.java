package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.shuffle.Shuffle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * A shuffle buffer's documents in the keyed state of the current key. As many as the heap's share
 * takes stay there between checkpoints, so that most documents of a small buffer come and go
 * without ever being written; the others are read and written in place.
 */
final class KeyedSlots implements Shuffle.Slots {
  private final MapState<Integer, byte[]> state;
  private final Heap heap;
  private final Map<Integer, byte[]> kept = new HashMap<>();
  private final Set<Integer> unwritten = new HashSet<>();

  /** Bytes of documents that the slots of all domains may keep on the heap. */
  static final class Heap {
    private long left;

    Heap(long bytes) {
      left = bytes;
    }

    private boolean take(long bytes) {
      if (bytes > left) {
        return false;
      }
      left -= bytes;
      return true;
    }
  }

  KeyedSlots(MapState<Integer, byte[]> state, Heap heap) {
    this.state = state;
    this.heap = heap;
  }

  @Override
  public byte[] get(int slot) {
    byte[] document = kept.get(slot);
    if (document != null) {
      return document;
    }
    try {
      return state.get(slot);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be read", e);
    }
  }

  @Override
  public void put(int slot, byte[] document) {
    drop(slot);
    if (heap.take(document.length)) {
      kept.put(slot, document);
      unwritten.add(slot);
    } else {
      write(slot, document);
    }
  }

  @Override
  public void remove(int slot) {
    drop(slot);
    try {
      state.remove(slot);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be removed", e);
    }
  }

  /** Writes what the state lacks; call with its domain as the current key, at each checkpoint. */
  void flush() {
    unwritten.forEach(slot -> write(slot, Objects.requireNonNull(kept.get(slot))));
    unwritten.clear();
  }

  /** Keeps nothing on the heap any longer; call where nothing came since {@link #flush()}. */
  void letGo() {
    kept.values().forEach(document -> heap.left += document.length);
    kept.clear();
  }

  private void drop(int slot) {
    byte[] document = kept.remove(slot);
    if (document != null) {
      heap.left += document.length;
      unwritten.remove(slot);
    }
  }

  private void write(int slot, byte[] document) {
    try {
      state.put(slot, document);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be written", e);
    }
  }
}
