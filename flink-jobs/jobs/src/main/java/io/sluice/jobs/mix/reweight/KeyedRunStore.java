package io.sluice.jobs.mix.reweight;

import io.sluice.control.controller.RunStore;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.util.FlinkRuntimeException;

/**
 * Controller parts in Flink's keyed state: always those of the run that Flink is at. Refuses to
 * write while Flink is at none, since the write would land on another run.
 */
final class KeyedRunStore implements RunStore {
  private final MapState<String, byte[]> parts;
  private boolean atRun;

  KeyedRunStore(MapState<String, byte[]> parts) {
    this.parts = parts;
  }

  void enter() {
    atRun = true;
  }

  void leave() {
    atRun = false;
  }

  @Override
  public Map<String, byte[]> load() {
    Map<String, byte[]> all = new HashMap<>();
    try {
      requireRun();
      for (Map.Entry<String, byte[]> part : parts.entries()) {
        all.put(part.getKey(), part.getValue());
      }
    } catch (Exception e) {
      throw new FlinkRuntimeException("controller parts cannot be read", e);
    }
    return all;
  }

  @Override
  public void put(String part, byte[] bytes) {
    try {
      requireRun();
      parts.put(part, bytes);
    } catch (Exception e) {
      throw new FlinkRuntimeException("controller part " + part + " cannot be written", e);
    }
  }

  @Override
  public void remove(String part) {
    try {
      requireRun();
      parts.remove(part);
    } catch (Exception e) {
      throw new FlinkRuntimeException("controller part " + part + " cannot be removed", e);
    }
  }

  @Override
  public void clear() {
    requireRun();
    parts.clear();
  }

  private void requireRun() {
    if (!atRun) {
      throw new IllegalStateException("no run is being handled");
    }
  }
}
