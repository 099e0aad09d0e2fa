package io.sluice.jobs.prepare.tokenizer;

/**
 * Which tokens a dataset wants.
 *
 * @param name of a tokenizer, as {@link Tokenizers#forName(TokenizerChoice)} knows it
 * @param version in [1, {@link Tokenizers#newestVersion}]
 * @param bos name of the control token before each document, {@link #NONE}, or empty for what the
 *     tokenizer has by default
 * @param eos name of the control token after each document, or empty for what the tokenizer has by
 *     default
 */
public record TokenizerChoice(String name, int version, String bos, String eos) {
  /** No token before a document. */
  public static final String NONE = "none";

  /** A tokenizer in its newest version, with its own control tokens. */
  public static TokenizerChoice newest(String name) {
    return new TokenizerChoice(name, Tokenizers.newestVersion(name), "", "");
  }

  /**
   * Checks that no other control tokens are wanted than those of a tokenizer that is no file.
   *
   * @param ending name of the end of a document; empty if it has none
   */
  void requireOwn(String ending) {
    if (!(bos.isEmpty() || bos.equals(NONE)) || !(eos.isEmpty() || eos.equals(ending))) {
      throw new IllegalArgumentException(
          String.format(
              "bos and eos of the tokenizer '%s' must be left out%s: found '%s' and '%s'",
              name, ending.isEmpty() ? "" : ", or none and " + ending, bos, eos));
    }
  }
}
