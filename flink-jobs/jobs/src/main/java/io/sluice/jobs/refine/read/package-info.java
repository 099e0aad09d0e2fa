/** What a refinery reads: its inputs in rounds, whose ends are logged. */
@NullMarked
package io.sluice.jobs.refine.read;

import org.jspecify.annotations.NullMarked;
