/** Answers in a file, which outlives whoever writes it. */
@NullMarked
package io.sluice.refine.synthesis.store;

import org.jspecify.annotations.NullMarked;
