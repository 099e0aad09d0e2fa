package io.sluice.jobs.prepare;

import org.apache.flink.api.common.state.MapState;
import org.apache.flink.util.FlinkRuntimeException;

/** A shuffle buffer's documents in the keyed state of the current key. */
record KeyedSlots(MapState<Integer, byte[]> state) implements ShuffleBuffer.Slots {
  @Override
  public byte[] get(int slot) {
    try {
      return state.get(slot);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be read", e);
    }
  }

  @Override
  public void put(int slot, byte[] document) {
    try {
      state.put(slot, document);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be written", e);
    }
  }

  @Override
  public void remove(int slot) {
    try {
      state.remove(slot);
    } catch (Exception e) {
      throw new FlinkRuntimeException("shuffle buffer slot " + slot + " cannot be removed", e);
    }
  }
}
