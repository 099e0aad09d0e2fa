package io.sluice.jobs.prepare.pack;

import java.util.HashMap;
import java.util.Map;

/** A shuffle buffer's documents on the heap. */
record TestingSlots(Map<Integer, byte[]> documents) implements ShuffleBuffer.Slots {
  TestingSlots() {
    this(new HashMap<>());
  }

  /** The same documents in slots of their own. */
  TestingSlots copy() {
    return new TestingSlots(new HashMap<>(documents));
  }

  @Override
  public byte[] get(int slot) {
    return documents.get(slot);
  }

  @Override
  public void put(int slot, byte[] document) {
    documents.put(slot, document);
  }

  @Override
  public void remove(int slot) {
    documents.remove(slot);
  }
}
