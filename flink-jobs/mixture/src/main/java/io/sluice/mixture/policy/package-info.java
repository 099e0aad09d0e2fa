/** Policies: pure functions from measured values to domain weights. */
@NullMarked
package io.sluice.mixture.policy;

import org.jspecify.annotations.NullMarked;
