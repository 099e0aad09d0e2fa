/** Feedback of one step: the reports of its ranks, and which attempt wins. */
@NullMarked
package io.sluice.mixture.round;

import org.jspecify.annotations.NullMarked;
