/** How a domain's loss depends on the mixture that a model was trained on, fitted to short runs. */
@NullMarked
package io.sluice.mixture.law;

import org.jspecify.annotations.NullMarked;
