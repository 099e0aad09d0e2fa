/** Files of token ids whose rows are a domain's blocks where they lie. */
@NullMarked
package io.sluice.corpus.inplace;

import org.jspecify.annotations.NullMarked;
