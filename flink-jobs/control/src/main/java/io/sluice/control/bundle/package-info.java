/** Runs as files: what makes a run repeatable elsewhere, and the run that repeats it. */
@NullMarked
package io.sluice.control.bundle;

import org.jspecify.annotations.NullMarked;
