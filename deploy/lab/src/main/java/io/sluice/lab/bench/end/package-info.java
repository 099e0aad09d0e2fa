/** What a token costs from its block to the training loop. */
@NullMarked
package io.sluice.lab.bench.end;

import org.jspecify.annotations.NullMarked;
