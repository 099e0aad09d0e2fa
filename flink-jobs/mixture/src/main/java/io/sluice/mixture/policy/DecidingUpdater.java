package io.sluice.mixture.policy;

/** The updater of a policy that has none of its own: each report is a decision from bytes. */
final class DecidingUpdater implements PolicyUpdater {
  private final Policy policy;
  private Policy.Decision last;

  DecidingUpdater(Policy policy, byte[] state) {
    this.policy = policy;
    this.last = new Policy.Decision(state, new double[0], new double[0]);
  }

  @Override
  public void take(Observation observation) {
    last = policy.decide(last.state(), observation);
  }

  @Override
  public double[] shares() {
    return last.shares();
  }

  @Override
  public double[] scores() {
    return last.scores();
  }

  @Override
  public String note() {
    return last.note();
  }

  @Override
  public Policy.Decision decision() {
    return last;
  }

  @Override
  public byte[] state() {
    return last.state();
  }
}
