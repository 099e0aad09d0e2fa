/**
 * PrepareJob: documents of a dataset's domains become shuffled, fixed-length training blocks and
 * held-out blocks, exactly once.
 */
@NullMarked
package io.sluice.jobs.prepare;

import org.jspecify.annotations.NullMarked;
