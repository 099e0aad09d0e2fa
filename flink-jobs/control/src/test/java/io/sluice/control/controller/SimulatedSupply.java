package io.sluice.control.controller;

import io.sluice.control.supply.SupplyIndex;
import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.List;

/** Supply as one instance knows it: shared by its controllers, part of its checkpoint. */
public final class SimulatedSupply {
  private final SupplyIndex index = new SupplyIndex();
  private final List<Supply> heard;

  /** What an instance knows that has heard these. */
  public SimulatedSupply(List<Supply> heard) {
    this.heard = new ArrayList<>(heard);
    heard.forEach(index::offer);
  }

  /** A record of a supply topic was read. */
  public void hear(Supply supply) {
    index.offer(supply).ifPresent(heard::add);
  }

  /** What a checkpoint holds. */
  public List<Supply> kept() {
    return List.copyOf(heard);
  }

  SupplyIndex index() {
    return index;
  }
}
