/**
 * Integer weights, the plan that turns them into counts, and the orders of batches and of epochs.
 */
@NullMarked
package io.sluice.mixture.plan;

import org.jspecify.annotations.NullMarked;
