/** Target losses of domains, extrapolated by scaling laws. */
@NullMarked
package io.sluice.mixture.targets;

import org.jspecify.annotations.NullMarked;
