/** Records of inputs to decisions, and these to records of outputs. */
@NullMarked
package io.sluice.jobs.refine.decide;

import org.jspecify.annotations.NullMarked;
