/** The library {@code tokenizers}, and texts as tokens by it. */
@NullMarked
package io.sluice.models.tokenizer;

import org.jspecify.annotations.NullMarked;
