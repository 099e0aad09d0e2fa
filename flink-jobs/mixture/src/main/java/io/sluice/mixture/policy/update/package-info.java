/** Steps that several policies take from measured values to weights. */
@NullMarked
package io.sluice.mixture.policy.update;

import org.jspecify.annotations.NullMarked;
