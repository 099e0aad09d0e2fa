/** Texts as words and n-grams, for whoever compares or counts them. */
@NullMarked
package io.sluice.refine.text;

import org.jspecify.annotations.NullMarked;
