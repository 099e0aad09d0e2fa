/** Policies fed once more with what a run has measured. */
@NullMarked
package io.sluice.mixture.replay;

import org.jspecify.annotations.NullMarked;
