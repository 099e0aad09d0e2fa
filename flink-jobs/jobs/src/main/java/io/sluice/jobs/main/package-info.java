/** The jobs as commands for a Flink cluster of one's own. */
@NullMarked
package io.sluice.jobs.main;

import org.jspecify.annotations.NullMarked;
