/** How hard texts are to foresee, told by counts of runs of words. */
@NullMarked
package io.sluice.refine.perplexity;

import org.jspecify.annotations.NullMarked;
