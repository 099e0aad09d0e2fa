package io.sluice.jobs.mix.reweight;

import io.sluice.schema.Supply;
import java.util.ArrayList;
import java.util.List;

/** Supply as one instance knows it: shared by its desks, part of its checkpoint. */
public final class SimulatedSupply {
  private final SupplyBook book = new SupplyBook();
  private final List<Supply> heard;

  /** What an instance knows that has heard these. */
  public SimulatedSupply(List<Supply> heard) {
    this.heard = new ArrayList<>(heard);
    heard.forEach(book::offer);
  }

  /** A record of a supply topic was read. */
  public void hear(Supply supply) {
    book.offer(supply).ifPresent(heard::add);
  }

  /** What a checkpoint holds. */
  public List<Supply> kept() {
    return List.copyOf(heard);
  }

  SupplyBook book() {
    return book;
  }
}
