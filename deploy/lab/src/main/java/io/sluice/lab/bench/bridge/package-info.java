/** The stream to ready batches. */
@NullMarked
package io.sluice.lab.bench.bridge;

import org.jspecify.annotations.NullMarked;
