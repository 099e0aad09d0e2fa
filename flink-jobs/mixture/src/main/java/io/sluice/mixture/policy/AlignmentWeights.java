package io.sluice.mixture.policy;

/**
 * The step that both forms of dynamic gradient alignment take: instantaneous log-weights, and the
 * moving average that is sampled from.
 *
 * @param alpha instantaneous weights
 * @param average moving average of the weights
 */
record AlignmentWeights(LogWeights alpha, double[] average) {
  private static final int VERSION = 1;

  /** Both at the initial weights. */
  static AlignmentWeights start(double[] shares) {
    LogWeights alpha = LogWeights.ofShares(shares);
    return new AlignmentWeights(alpha, alpha.shares());
  }

  static AlignmentWeights decode(String policy, byte[] state) {
    StateReader reader = StateReader.ofVersion(policy, VERSION, state);
    return new AlignmentWeights(LogWeights.ofNormalised(reader.array()), reader.array());
  }

  byte[] encode() {
    return StateWriter.ofVersion(VERSION).put(alpha.logs()).put(average).bytes();
  }

  /** {@code alpha ← alpha · exp(eta · a) / Z; average ← (1 − beta) · average + beta · alpha}. */
  AlignmentWeights step(double[] alignments, double eta, double beta) {
    LogWeights next = alpha.step(eta, alignments);
    double[] moved = new double[average.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = (1 - beta) * average[i] + beta * next.shares()[i];
    }
    return new AlignmentWeights(next, moved);
  }
}
