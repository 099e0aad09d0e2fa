/** Meters of what the gradients of several domains say of each other. */
@NullMarked
package io.sluice.djl.gradient;

import org.jspecify.annotations.NullMarked;
