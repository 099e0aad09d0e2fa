/** Runs policies against learners whose laws are known, through the decisions of a real run. */
@NullMarked
package io.sluice.mixture.simulate;

import org.jspecify.annotations.NullMarked;
