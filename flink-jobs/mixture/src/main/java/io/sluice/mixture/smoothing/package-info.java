/** What comes between a policy's decision and the weights that a run takes. */
@NullMarked
package io.sluice.mixture.smoothing;

import org.jspecify.annotations.NullMarked;
