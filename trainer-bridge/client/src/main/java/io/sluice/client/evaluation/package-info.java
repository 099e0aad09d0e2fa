/** Held-out blocks of each domain. */
@NullMarked
package io.sluice.client.evaluation;

import org.jspecify.annotations.NullMarked;
