/** How long a training loop stands still, and for what. */
@NullMarked
package io.sluice.client.wait;

import org.jspecify.annotations.NullMarked;
