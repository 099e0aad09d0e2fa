package io.sluice.jobs.mix.reweight;

import java.util.HashMap;
import java.util.Map;

/** Desk parts in memory. */
final class TestingDeskStore implements DeskStore {
  private final Map<String, byte[]> parts = new HashMap<>();

  @Override
  public Map<String, byte[]> load() {
    return copy().parts;
  }

  @Override
  public void put(String part, byte[] bytes) {
    parts.put(part, bytes.clone());
  }

  @Override
  public void remove(String part) {
    parts.remove(part);
  }

  @Override
  public void clear() {
    parts.clear();
  }

  /** What a checkpoint would hold. */
  TestingDeskStore copy() {
    TestingDeskStore copy = new TestingDeskStore();
    parts.forEach(copy::put);
    return copy;
  }
}
