package io.sluice.jobs.prepare.pack;

import io.sluice.jobs.prepare.shuffle.Shuffle;
import java.util.HashMap;
import java.util.Map;

/** A shuffle buffer's documents on the heap. */
public record TestingSlots(Map<Integer, byte[]> documents) implements Shuffle.Slots {
  public TestingSlots() {
    this(new HashMap<>());
  }

  /** The same documents in slots of their own. */
  public TestingSlots copy() {
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
