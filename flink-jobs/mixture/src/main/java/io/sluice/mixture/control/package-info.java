/** The control log's fold, rounds of feedback, and the decision what to grant next. */
@NullMarked
package io.sluice.mixture.control;

import org.jspecify.annotations.NullMarked;
