/** What is kept of streams that are whole, so that no later start without state reads them. */
@NullMarked
package io.sluice.jobs.mix.mark;

import org.jspecify.annotations.NullMarked;
