/** Flink's half of MixJob that decides: it keeps each run's controller in keyed state. */
@NullMarked
package io.sluice.jobs.mix.reweight;

import org.jspecify.annotations.NullMarked;
