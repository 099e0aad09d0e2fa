package io.sluice.corpus.tokens;

/**
 * Whose token ids files hold, and how.
 *
 * @param tokenizer its identity: its name, or 'file:sha256:' and the digits of its file's SHA-256
 */
public record TokenSource(String tokenizer, TokenIds ids, TokenLayout layout) {}
