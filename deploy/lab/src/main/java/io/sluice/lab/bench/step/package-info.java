/** {@code sluice bench step}: what the loader adds to a training step. */
@NullMarked
package io.sluice.lab.bench.step;

import org.jspecify.annotations.NullMarked;
