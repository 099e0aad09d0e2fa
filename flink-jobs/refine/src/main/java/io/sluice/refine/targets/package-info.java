/**
 * Texts that a run is steered to or tested on: what of them must not be trained on, and which side
 * each is on.
 */
@NullMarked
package io.sluice.refine.targets;

import org.jspecify.annotations.NullMarked;
