package io.sluice.control.controller;

import java.util.Map;

/**
 * Where a run's controller keeps what must survive a crash: named parts, each of versioned bytes.
 */
public interface RunStore {
  /** Every part, as it was last put. */
  Map<String, byte[]> load();

  /** Adds or replaces a part. */
  void put(String part, byte[] bytes);

  /** Takes a part away, if it is there. */
  void remove(String part);

  /** Takes every part away. */
  void clear();
}
