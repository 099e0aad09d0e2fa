/** The runs' token streams: records, and the sink that writes them at least once. */
@NullMarked
package io.sluice.jobs.mix.stream;

import org.jspecify.annotations.NullMarked;
