/** Which blocks each batch of a run has, by its control log alone. */
@NullMarked
package io.sluice.client.derive;

import org.jspecify.annotations.NullMarked;
