package io.sluice.corpus.document;

import io.sluice.corpus.tokens.TokenIds;
import io.sluice.corpus.tokens.TokenLayout;

/**
 * Whose token ids files hold, and how.
 *
 * @param tokenizer its identity: its name, or the SHA-256 of its file in hexadecimal digits
 */
public record TokenSource(String tokenizer, TokenIds ids, TokenLayout layout) {}
