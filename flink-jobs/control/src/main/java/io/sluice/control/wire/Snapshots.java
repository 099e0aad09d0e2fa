package io.sluice.control.wire;

import io.sluice.mixture.log.Snapshot;
import io.sluice.schema.RunSnapshot;
import java.nio.ByteBuffer;
import java.util.BitSet;

/** Snapshots of runs as records on the wire, and back. */
public final class Snapshots {
  private Snapshots() {}

  /**
   * The snapshot that a record holds.
   *
   * @throws IllegalArgumentException if it cannot be one
   */
  public static Snapshot read(RunSnapshot record) {
    ByteBuffer state = record.getPolicyState().duplicate();
    byte[] policyState = new byte[state.remaining()];
    state.get(policyState);
    BitSet masked = new BitSet();
    for (int domain : record.getMasked()) {
      if (domain < 0 || domain >= record.getWeights().size()) {
        throw new IllegalArgumentException(
            "masked must be in [0, " + record.getWeights().size() + "): " + domain);
      }
      masked.set(domain);
    }
    return new Snapshot(
        record.getBatch(),
        record.getNextSequence(),
        record.getWeightsVersion(),
        record.getRound(),
        record.getBaseRound(),
        ControlWire.weights(record.getWeights()),
        record.getPinned(),
        record.getDrainTo(),
        policyState,
        ControlWire.longs(record.getPlanError()),
        ControlWire.longs(record.getOrdinals()),
        masked);
  }

  /** The record of a snapshot. */
  public static RunSnapshot write(Snapshot snapshot) {
    return RunSnapshot.newBuilder()
        .setBatch(snapshot.batch())
        .setNextSequence(snapshot.nextSequence())
        .setWeightsVersion(snapshot.weightsVersion())
        .setRound(snapshot.round())
        .setBaseRound(snapshot.baseRound())
        .setWeights(ControlWire.boxed(snapshot.decided()))
        .setPinned(snapshot.pinned())
        .setDrainTo(snapshot.drainTo())
        .setPolicyState(ByteBuffer.wrap(snapshot.policyState()))
        .setPlanError(ControlWire.boxed(snapshot.planError()))
        .setOrdinals(ControlWire.boxed(snapshot.ordinals()))
        .setMasked(snapshot.masked().stream().boxed().toList())
        .build();
  }
}
