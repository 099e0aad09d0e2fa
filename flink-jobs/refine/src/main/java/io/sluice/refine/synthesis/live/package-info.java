/** Documents that a model makes of others as these come, for a job that goes on for months. */
@NullMarked
package io.sluice.refine.synthesis.live;

import org.jspecify.annotations.NullMarked;
