/** Committed blocks to segments in a dataset's store. */
@NullMarked
package io.sluice.service.seal;

import org.jspecify.annotations.NullMarked;
