/** How long a training loop stands still for data. */
@NullMarked
package io.sluice.lab.bench.wait;

import org.jspecify.annotations.NullMarked;
