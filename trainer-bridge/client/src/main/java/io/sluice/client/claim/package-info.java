/** Which process reads as which rank. */
@NullMarked
package io.sluice.client.claim;

import org.jspecify.annotations.NullMarked;
