/** Runs: their file, their resolution against a dataset, and the commands that act on them. */
@NullMarked
package io.sluice.cli.run;

import org.jspecify.annotations.NullMarked;
