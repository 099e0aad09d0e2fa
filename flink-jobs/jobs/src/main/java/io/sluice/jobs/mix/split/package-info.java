/** Where a run stands in one lane: the splits of the source and their bytes. */
@NullMarked
package io.sluice.jobs.mix.split;

import org.jspecify.annotations.NullMarked;
