/** How long a new run takes to its first batch. */
@NullMarked
package io.sluice.lab.bench.start;

import org.jspecify.annotations.NullMarked;
