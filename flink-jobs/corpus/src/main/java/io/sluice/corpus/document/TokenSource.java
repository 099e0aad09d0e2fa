package io.sluice.corpus.document;

import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;

/**
 * Whose token ids files hold, and how.
 *
 * @param tokenizer its identity: its name, or 'file:sha256:' and the digits of its file's SHA-256
 */
public record TokenSource(String tokenizer, TokenIds ids, TokenLayout layout) {}
