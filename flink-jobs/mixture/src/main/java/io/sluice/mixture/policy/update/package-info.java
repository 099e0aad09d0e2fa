/** What several policies share on their way from measured values to weights. */
@NullMarked
package io.sluice.mixture.policy.update;

import org.jspecify.annotations.NullMarked;
