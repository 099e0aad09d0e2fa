/** Documents that become those of virtual domains, each of which follows a basis distribution. */
@NullMarked
package io.sluice.refine.basis;

import org.jspecify.annotations.NullMarked;
