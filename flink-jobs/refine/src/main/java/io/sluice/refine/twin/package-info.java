/**
 * Documents that are there already, word for word or nearly: signatures, and what remembers them.
 */
@NullMarked
package io.sluice.refine.twin;

import org.jspecify.annotations.NullMarked;
