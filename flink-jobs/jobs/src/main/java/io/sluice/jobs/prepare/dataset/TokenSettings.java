package io.sluice.jobs.prepare.dataset;

/**
 * How text becomes tokens.
 *
 * @param tokenizer a name that {@code Tokenizers.forName} knows
 * @param bos name of the control token before each document, {@code none}, or empty for the
 *     tokenizer's default
 * @param eos name of the control token after each document, or empty for the tokenizer's default
 */
public record TokenSettings(String tokenizer, String bos, String eos) {
  /** With the control tokens that the tokenizer has by default. */
  public TokenSettings(String tokenizer) {
    this(tokenizer, "", "");
  }
}
