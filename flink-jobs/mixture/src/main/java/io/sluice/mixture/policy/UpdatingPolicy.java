package io.sluice.mixture.policy;

/** A policy whose decisions are those of its updater. */
public abstract class UpdatingPolicy implements Policy {
  @Override
  public abstract PolicyUpdater updater(byte[] state);

  @Override
  public final Decision decide(byte[] state, Observation observation) {
    PolicyUpdater updater = updater(state);
    updater.take(observation);
    return updater.decision();
  }
}
