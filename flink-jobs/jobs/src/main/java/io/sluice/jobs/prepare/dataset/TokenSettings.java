package io.sluice.jobs.prepare.dataset;

/**
 * How text becomes tokens.
 *
 * @param tokenizer a name that {@code Tokenizers.forName} knows
 */
public record TokenSettings(String tokenizer) {}
