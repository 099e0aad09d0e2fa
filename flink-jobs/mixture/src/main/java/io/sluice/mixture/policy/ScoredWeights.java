package io.sluice.mixture.policy;

/**
 * State of a policy whose result may be the mean of its weights over all rounds: the weights, each
 * domain's last score, and the mean so far.
 */
record ScoredWeights(LogWeights weights, double[] scores, RunningMean mean) {
  /** Reads what {@link #encode} wrote, for the policy of that name. */
  static ScoredWeights decode(String policy, int version, byte[] state) {
    StateReader reader = StateReader.ofVersion(policy, version, state);
    LogWeights weights = LogWeights.ofNormalised(reader.array());
    double[] scores = reader.array();
    return new ScoredWeights(weights, scores, new RunningMean(reader.number(), reader.array()));
  }

  /** Bytes that begin with the policy's version. */
  byte[] encode(int version) {
    return StateWriter.ofVersion(version)
        .put(weights.logs())
        .put(scores)
        .put(mean.count())
        .put(mean.values())
        .bytes();
  }
}
