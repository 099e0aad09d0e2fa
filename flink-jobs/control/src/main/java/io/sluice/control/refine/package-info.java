/** Refineries: what they are to do, and what they have decided. */
@NullMarked
package io.sluice.control.refine;

import org.jspecify.annotations.NullMarked;
