/** Global batches from a run's stream. */
@NullMarked
package io.sluice.client.stream;

import org.jspecify.annotations.NullMarked;
