/** Runs: their file, their resolution against a dataset, and the changes that people ask for. */
@NullMarked
package io.sluice.control.runs;

import org.jspecify.annotations.NullMarked;
