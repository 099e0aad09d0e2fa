/** The source that obeys the control log: it deals granted batches from the block topics. */
@NullMarked
package io.sluice.jobs.mix.source;

import org.jspecify.annotations.NullMarked;
