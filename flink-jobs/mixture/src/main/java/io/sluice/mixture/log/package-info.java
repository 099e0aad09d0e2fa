/** The control log: its entries, which of them apply, and the state of a run that they fold to. */
@NullMarked
package io.sluice.mixture.log;

import org.jspecify.annotations.NullMarked;
