package io.sluice.control.controller;

import java.util.HashMap;
import java.util.Map;

/** Controller parts in memory. */
final class TestingRunStore implements RunStore {
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
  TestingRunStore copy() {
    TestingRunStore copy = new TestingRunStore();
    parts.forEach(copy::put);
    return copy;
  }
}
