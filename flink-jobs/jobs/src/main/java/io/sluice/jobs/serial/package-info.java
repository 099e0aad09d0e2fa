/** Compact bytes of the jobs' records: in state and between operators. */
@NullMarked
package io.sluice.jobs.serial;

import org.jspecify.annotations.NullMarked;
