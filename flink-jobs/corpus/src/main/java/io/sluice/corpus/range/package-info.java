/** Ranges of a file's records, by which a corpus names documents that it does not hold. */
@NullMarked
package io.sluice.corpus.range;

import org.jspecify.annotations.NullMarked;
