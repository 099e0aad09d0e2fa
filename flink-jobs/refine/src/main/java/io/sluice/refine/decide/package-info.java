/** What becomes of each document of a refinery's inputs, in their order. */
@NullMarked
package io.sluice.refine.decide;

import org.jspecify.annotations.NullMarked;
