/** The experiments, after the tables and figures of the papers. */
@NullMarked
package io.sluice.lab.reproduce.experiment;

import org.jspecify.annotations.NullMarked;
