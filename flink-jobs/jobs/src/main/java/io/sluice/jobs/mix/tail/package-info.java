/** Where the streams of runs end that a source without state finds: read from the streams alone. */
@NullMarked
package io.sluice.jobs.mix.tail;

import org.jspecify.annotations.NullMarked;
