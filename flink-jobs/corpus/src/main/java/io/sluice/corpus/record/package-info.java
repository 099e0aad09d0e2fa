/** The records of a file, its lines, its rows, or all of it, and which documents they are. */
@NullMarked
package io.sluice.corpus.record;

import org.jspecify.annotations.NullMarked;
