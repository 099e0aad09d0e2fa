package io.sluice.mixture.policy;

/** Keeps the initial weights: the baseline of every comparison. */
record StaticPolicy() implements Policy {
  static final String NAME = "static";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String metric() {
    return "";
  }

  @Override
  public boolean startsFromStepZero() {
    return false;
  }

  @Override
  public byte[] initialState(double[] shares) {
    return new byte[0];
  }

  @Override
  public Decision decide(byte[] state, double[] values) {
    throw new IllegalStateException("the static policy has no rounds");
  }
}
