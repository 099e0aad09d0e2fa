package io.sluice.client.run;

import io.sluice.client.error.TokenizerMismatchException;
import io.sluice.schema.RunSpec;

/**
 * A started run: its identity and the specification that its first control record pinned.
 *
 * @param runId name and random suffix: a run created again under the same name has another
 * @param spec the run with every default resolved
 */
public record RunInfo(String runId, RunSpec spec) {
  /** The run's name. */
  public String name() {
    return spec.getRun();
  }

  /** Bytes per token of the run's blocks: 2 when every token id fits, otherwise 4. */
  public int tokenWidth() {
    return spec.getVocabulary() <= 1 << 16 ? 2 : 4;
  }

  /**
   * Checks that a model can take the run's token ids.
   *
   * @param vocabulary of the model
   * @throws TokenizerMismatchException if it is smaller than the tokenizer's
   */
  public void requireVocabulary(int vocabulary) {
    if (vocabulary < spec.getVocabulary()) {
      throw new TokenizerMismatchException(
          "the model's vocabulary of "
              + vocabulary
              + " is smaller than the "
              + spec.getVocabulary()
              + " of run "
              + runId
              + "'s tokenizer '"
              + spec.getTokenizer()
              + "': train with that tokenizer, or apply a dataset that is prepared with the model's");
    }
  }
}
