/** Which domain an embedded example falls to, and how often each domain is hit. */
@NullMarked
package io.sluice.mixture.cluster;

import org.jspecify.annotations.NullMarked;
