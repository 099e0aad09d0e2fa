/** How much of a process's heap jobs may take. */
@NullMarked
package io.sluice.jobs.heap;

import org.jspecify.annotations.NullMarked;
