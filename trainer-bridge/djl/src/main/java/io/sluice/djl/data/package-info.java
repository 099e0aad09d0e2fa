/** A stream as a DJL data set. */
@NullMarked
package io.sluice.djl.data;

import org.jspecify.annotations.NullMarked;
