/**
 * Integer weights, the plan that turns them into counts, and the orders that the counts are dealt
 * in.
 */
@NullMarked
package io.sluice.mixture.plan;

import org.jspecify.annotations.NullMarked;
