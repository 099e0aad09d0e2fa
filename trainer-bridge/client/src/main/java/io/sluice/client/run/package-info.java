/** A run as its log tells it: where it begins, what governs which batch, who reads it. */
@NullMarked
package io.sluice.client.run;

import org.jspecify.annotations.NullMarked;
