/** The source that obeys the control log: it sequences granted batches. */
@NullMarked
package io.sluice.jobs.mix.source;

import org.jspecify.annotations.NullMarked;
