/** State as bytes: a version, then what its owner knows the order of. */
@NullMarked
package io.sluice.mixture.state;

import org.jspecify.annotations.NullMarked;
