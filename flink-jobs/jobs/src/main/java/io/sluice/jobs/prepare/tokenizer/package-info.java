/** Tokenizers: text to token ids, and what a trainer must know of the vocabulary. */
@NullMarked
package io.sluice.jobs.prepare.tokenizer;

import org.jspecify.annotations.NullMarked;
