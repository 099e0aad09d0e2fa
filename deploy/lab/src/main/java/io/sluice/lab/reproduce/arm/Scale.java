package io.sluice.lab.reproduce.arm;

/**
 * The size of an experiment's runs.
 *
 * @param layers of the model
 * @param width of the model
 * @param heads of the model
 * @param sequenceLength labels of a sequence
 * @param batch sequences of a batch
 * @param steps batches of an arm
 * @param every batches between rounds
 * @param evalTokens held-out tokens of each domain that a round evaluates
 * @param probeTokens of each domain's probe batch
 * @param learningRate peak of the rate, which falls by half a cosine
 */
public record Scale(
    int layers,
    int width,
    int heads,
    int sequenceLength,
    int batch,
    int steps,
    int every,
    int evalTokens,
    int probeTokens,
    double learningRate) {

  /** The same for runs so many times as long, with as many rounds. */
  public Scale longer(int times) {
    return new Scale(
        layers,
        width,
        heads,
        sequenceLength,
        batch,
        times * steps,
        times * every,
        evalTokens,
        probeTokens,
        learningRate);
  }

  /** Tokens of an arm. */
  public long tokens() {
    return (long) steps * batch * sequenceLength;
  }
}
