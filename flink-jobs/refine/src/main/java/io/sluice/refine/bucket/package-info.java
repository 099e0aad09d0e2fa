/** Documents in buckets of equal tokens, in the order of a number that each one has. */
@NullMarked
package io.sluice.refine.bucket;

import org.jspecify.annotations.NullMarked;
