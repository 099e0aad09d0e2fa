/** Feedback to grant to the first sequence under the new weights. */
@NullMarked
package io.sluice.lab.bench.loop;

import org.jspecify.annotations.NullMarked;
